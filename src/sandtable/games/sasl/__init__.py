"""Solitaire ASL: one side against an ENEMY that printed tables decide for."""
