"""Simulated footage with exact truth: physics, play and film."""
