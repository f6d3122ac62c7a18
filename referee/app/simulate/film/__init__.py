"""Filming a simulation: camera, table, balls, people, sensor and codec."""
