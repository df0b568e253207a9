from boxes import Box
from rules import measured_by


@measured_by
class Tripled:
    @staticmethod
    def measure(b: Box):
        return b.content * 3
