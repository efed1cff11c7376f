"""Rooms: people who meet, play, hold events and solve tasks together."""
