"""Scenario files, setting up, reinforcements, positions."""
