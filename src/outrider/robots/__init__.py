"""robots.txt by RFC 9309: parses any bytes and matches in linear time."""

from outrider.robots.agent import AGENT
from outrider.robots.parser import Robots, RobotsVerdict

__all__ = ["AGENT", "Robots", "RobotsVerdict"]
