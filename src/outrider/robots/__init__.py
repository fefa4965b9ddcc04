"""May we: robots.txt by RFC 9309, read from any bytes and matched in linear time."""

from outrider.robots.agent import AGENT
from outrider.robots.parser import Robots, RobotsVerdict

__all__ = ["AGENT", "Robots", "RobotsVerdict"]
