"""Metallurgie: hexagonal patterns of metal, and who draws the most out of them."""
