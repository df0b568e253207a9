from lengths import Length, Raw
from plum import conversion_method


@conversion_method(Raw, Length)
def raw_to_length(raw):
    return Length(raw.value * 3)
