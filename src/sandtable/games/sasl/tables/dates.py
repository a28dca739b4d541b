"""Dates as the cards print them: `1937-42`, `7/43-45`, `6-12/41`, `pre 5/42`, `8/43+`."""

from __future__ import annotations

import re
from calendar import month_name

import msgspec

FIRST_YEAR, LAST_YEAR = 1937, 1945
_DATE = re.compile(r"\d{1,2}/\d{2}|\d{4}|\d{1,2}")


def month_number(year: int, month: int) -> int:
    """Months counted through, so that spans can be compared."""
    return year * 12 + month - 1


def month_of(date: str) -> int:
    """The month of a date such as `1944-09`."""
    year, _, month = date.partition("-")
    if not (year.isdecimal() and month[:2].isdecimal() and 1 <= int(month[:2]) <= 12):
        raise ValueError(f"Give the date as year and month, for example 1944-09, not {date!r}.")
    return month_number(int(year), int(month[:2]))


def month_text(number: int) -> str:
    """A month by its number as a date such as `1944-09`."""
    return f"{number // 12}-{number % 12 + 1:02d}"


def month_words(date: str) -> str:
    """A date such as `1944-09` as people say it: `September 1944`."""
    year, _, month = date.partition("-")
    return f"{month_name[int(month)]} {year}"


class Span(msgspec.Struct, frozen=True):
    """The months from `first` to `last`, both included."""

    first: int
    last: int

    def __contains__(self, date: object) -> bool:
        return isinstance(date, str) and self.first <= month_of(date) <= self.last

    def months(self) -> range:
        """Every month of the span by its number."""
        return range(self.first, self.last + 1)


def span_words(span: Span) -> str:
    """The months of a span as tables print them: `6/41`, `7-12/41`, `1942`, `9/42-12/44`, `7/41+`, `until 1/40`."""
    first, last = (divmod(number, 12) for number in (span.first, span.last))
    years = tuple(f"{year % 100:02d}" for year, _ in (first, last))
    if (first[1], last[1]) == (0, 11):
        return str(first[0]) if first[0] == last[0] else f"{first[0]}-{years[1]}"
    if span.last == month_number(LAST_YEAR, 12):
        return f"{first[1] + 1}/{years[0]}+"
    if span.first == month_number(FIRST_YEAR, 1):
        return f"until {last[1] + 1}/{years[1]}"
    if span.first == span.last:
        return f"{first[1] + 1}/{years[0]}"
    if first[0] == last[0]:
        return f"{first[1] + 1}-{last[1] + 1}/{years[0]}"
    return f"{first[1] + 1}/{years[0]}-{last[1] + 1}/{years[1]}"


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else 1900 + int(text)


def _ends(text: str, year_of: str = "") -> tuple[int, int]:
    """First and last month of one date: a year, a month with its year, or a month of `year_of`."""
    month, slash, year = text.partition("/")
    if slash:
        at = month_number(_year(year), int(month))
        return at, at
    if len(text) <= 2 and int(text) <= 12 and year_of:
        at = month_number(_year(year_of), int(text))
        return at, at
    return month_number(_year(text), 1), month_number(_year(text), 12)


def is_date(text: str) -> bool:
    """Whether a word is a date or a span of dates."""
    bare = text.removeprefix("pre ").removesuffix("+")
    return bool(bare) and all(_DATE.fullmatch(part) for part in bare.split("-")) and bare.count("-") <= 1


def span(text: str) -> Span:
    """The months that a printed date stands for."""
    if not is_date(text):
        raise ValueError(f"{text!r} is no date of the tables.")
    if text.startswith("pre "):
        return Span(month_number(FIRST_YEAR, 1), _ends(text[4:])[0] - 1)
    if text.endswith("+"):
        return Span(_ends(text[:-1])[0], month_number(LAST_YEAR, 12))
    first, dash, last = text.partition("-")
    if not dash:
        return Span(*_ends(text))
    return Span(_ends(first, last.partition("/")[2])[0], _ends(last)[1])
