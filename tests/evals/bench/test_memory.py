from __future__ import annotations

import multiprocessing
import os
import sys
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event

import pytest

from evals.bench.memory import ChildPeaks, is_measurable, peak_mb

linux = pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")

GROWTH = 60_000_000


def grow(grown: Event, seen: Event) -> None:
    data = bytearray(os.urandom(1024) * (GROWTH // 1024))
    grown.set()
    seen.wait(timeout=10)
    del data


def grow_and_shrink(peaks: Connection) -> None:
    """In a process of its own: another test of this one may have had a higher peak already."""
    before = peak_mb(os.getpid())
    data = bytearray(os.urandom(1024) * (GROWTH // 1024))
    during = peak_mb(os.getpid())
    del data
    peaks.send((before, during, peak_mb(os.getpid())))


@linux
def test_the_peak_of_a_process_stays_when_its_memory_is_given_back() -> None:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    child = context.Process(target=grow_and_shrink, args=(there,))
    child.start()
    before, during, after = here.recv()
    child.join()
    assert is_measurable()
    assert before < during <= after


@linux
def test_the_peaks_of_children_are_followed() -> None:
    context = multiprocessing.get_context("spawn")
    grown, seen = context.Event(), context.Event()
    child = context.Process(target=grow, args=(grown, seen))
    with ChildPeaks() as peaks:
        child.start()
        assert grown.wait(timeout=30)
        for _ in range(1000):
            if peaks.highest > GROWTH / 1e6:
                break
            seen.wait(timeout=0.01)
        seen.set()
        child.join()
    assert peaks.highest > GROWTH / 1e6


def test_a_process_that_is_gone_has_no_peak() -> None:
    assert peak_mb(2**22 + 1) is None
