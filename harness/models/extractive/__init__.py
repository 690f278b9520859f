"""The offline model: it drives the same tools as any model and answers with sentences quoted from what it has read.

Deterministic and without a network: no clock, no chance, no key. It sees what a model sees: the conversation and the
tools' replies. Start with `model`; `plan` chooses the next calls, `choice` the sentences, `composing` the words around.
"""

from harness.models.extractive.model import ExtractiveModel

__all__ = ["ExtractiveModel"]
