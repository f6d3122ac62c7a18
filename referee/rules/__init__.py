"""The rules of the games as pure functions of state, shot record and inputs."""
