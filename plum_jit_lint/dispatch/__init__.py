"""How plum chooses a method, for both observers."""
