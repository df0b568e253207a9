import plum


class Config:
    dispatch = plum.dispatch
