import late

NAME = late.NAME
