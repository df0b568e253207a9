Number = int | float
Text = Number | str
