import c_third

print(c_third.NAME)
