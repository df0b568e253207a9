NAME = "three"
import level4
