from __future__ import annotations

import multiprocessing
import os
import sys
import time

import pytest

from evals.bench.memory import ChildPeaks, is_measurable, peak_mb

linux = pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")

GROWTH = 60_000_000


def grow() -> None:
    data = bytearray(os.urandom(1024) * (GROWTH // 1024))
    time.sleep(0.3)  # long enough to be seen by a watcher that looks every 10 ms
    del data


@linux
def test_the_peak_of_a_process_stays_when_its_memory_is_given_back() -> None:
    before = peak_mb(os.getpid())
    data = bytearray(os.urandom(1024) * (GROWTH // 1024))
    during = peak_mb(os.getpid())
    del data
    after = peak_mb(os.getpid())
    assert is_measurable()
    assert before is not None
    assert during is not None
    assert after is not None
    assert before < during <= after


@linux
def test_the_peaks_of_children_are_followed() -> None:
    child = multiprocessing.get_context("spawn").Process(target=grow)
    with ChildPeaks() as peaks:
        child.start()
        child.join()
    assert peaks.highest > GROWTH / 1e6


def test_a_process_that_is_gone_has_no_peak() -> None:
    assert peak_mb(2**22 + 1) is None
