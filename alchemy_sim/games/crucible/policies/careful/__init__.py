"""The careful team: plays for all tasks from what a player may know."""
