"""Pictures turned by quarters."""

from __future__ import annotations

import numpy as np

from reading_model.parsing.ocr.reading import GreyImage


def turned(image: GreyImage, degrees: int) -> GreyImage:
    """The picture turned clockwise by 0, 90, 180 or 270 degrees."""
    samples = np.frombuffer(image.samples, dtype=np.uint8).reshape(image.height, image.width)
    out = np.rot90(samples, -(degrees // 90))
    height, width = out.shape
    return GreyImage(width, height, out.tobytes(), image.dpi)
