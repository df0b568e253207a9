from kinds import Box, Sized

Sized.register(Box)
