"""Turns the rows of dump.ts into tokens, and cuts the encoder's vocabulary to the pieces that are used:

    python prepare.py ROWS.jsonl MODEL.bin FOLDER

FOLDER receives tokens.npz, items.npz and encoder.npz (about 40 MB, all that train.py needs), rows.json and vocabulary.json.
"""
import json
import os
import re
import sys
import unicodedata

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers

import e5

VOCABULARY = 32_752
MOST_TOKENS = 126
LONGEST_POSITION = 200
BATCH = 20_000
GROUPS = ['train', 'own', 'scene', 'A', 'B', 'C', 'dev']
SURFACES = {'user': 0, 'tool': 1, 'definition': 2, 'assistant': 3}


def main():
    rows_file, model_file, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    rows = [json.loads(line) for line in open(rows_file)]
    add_requests(rows)
    texts, places = texts_of(rows)
    pieces, scores, tensors = e5.read(model_file)
    kept = frequent_pieces(texts, pieces, scores)
    tokens, ranges = tokenised(texts, tokenizer([(pieces[i], float(scores[i])) for i in kept]))
    offsets = np.cumsum([0] + [len(one) for one in tokens]).astype(np.int32)
    np.savez_compressed(f'{folder}/tokens.npz', tokens=np.concatenate(tokens), offsets=offsets)
    items = {name: np.array(column) for name, column in columns_of(rows, places, ranges).items()}
    np.savez_compressed(f'{folder}/items.npz', **items)
    np.savez(f'{folder}/encoder.npz', **weights_of(tensors, kept))
    json.dump([{k: v for k, v in row.items() if k not in ('windows', 'lesson', 'asked', 'own')} for row in rows], open(f'{folder}/rows.json', 'w'))
    json.dump({'pieces': [pieces[i] for i in kept], 'scores': [float(scores[i]) for i in kept]}, open(f'{folder}/vocabulary.json', 'w'), ensure_ascii=False)
    print(f'{len(rows)} rows, {len(tokens)} windows, {offsets[-1]} tokens')


def add_requests(rows):
    """Adds what the user had asked for to the scenes in documents, and requests that ask for the planted order."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'requests.jsonl')
    by_scene = {one['scene']: one for one in map(json.loads, open(file))}
    for row in rows:
        request = by_scene.get(row.get('id')) if row['group'] == 'scene' else None
        if request:
            row['asked'] = request['asked']
            row['own'] = request.get('own')


def texts_of(rows):
    """All texts, and for each row the indexes of its windows, its lesson and its requests (-1 for none)."""
    texts, places = [], []

    def add(text):
        texts.append(re.sub(r'\s+', ' ', unicodedata.normalize('NFKC', text.encode('utf8', 'replace').decode())).strip())
        return len(texts) - 1

    for row in rows:
        windows = [add(text) for text in row['windows']]
        places.append((windows, *(add(row[field]) if row.get(field) else -1 for field in ('lesson', 'asked', 'own'))))
    return texts, places


def tokenizer(pieces):
    built = Tokenizer(models.Unigram(pieces, unk_id=e5.UNKNOWN, byte_fallback=False))
    built.pre_tokenizer = pre_tokenizers.Metaspace(replacement='▁', prepend_scheme='always', split=True)
    return built


def frequent_pieces(texts, pieces, scores):
    """The most frequent pieces, half by our texts and half by the tokenizer's own scores; all single characters that occur."""
    counts = np.zeros(len(pieces), np.int64)
    whole = tokenizer(list(zip(pieces, scores.astype(float))))
    for at in range(0, len(texts), BATCH):
        for encoded in whole.encode_batch(texts[at:at + BATCH]):
            np.add.at(counts, encoded.ids, 1)
    general = np.exp(scores.astype(np.float64))
    general[:4] = 0
    rank = counts / counts.sum() + general / general.sum()
    single = np.array([len(piece) == 1 for piece in pieces]) & ((counts > 0) | (scores > -12))
    kept = set(range(4)) | set(np.flatnonzero(single).tolist())
    for piece in np.argsort(-rank):
        if len(kept) >= VOCABULARY:
            break
        kept.add(int(piece))
    return np.array(sorted(kept))


def tokenised(texts, reader):
    """Windows of at most MOST_TOKENS, and for each text the range of its windows: a longer one is two or three that overlap."""
    windows, ranges = [], []
    for at in range(0, len(texts), BATCH):
        for encoded in reader.encode_batch(texts[at:at + BATCH]):
            ids = np.array(encoded.ids, np.uint16)
            rest = len(ids) - MOST_TOKENS
            starts = [0] if rest <= 0 else [0, rest] if rest <= MOST_TOKENS else [0, rest // 2, rest]
            ranges.append((len(windows), len(windows) + len(starts)))
            windows += [ids[start:start + MOST_TOKENS] for start in starts]
    return windows, ranges


def columns_of(rows, places, ranges):
    families = {name: at for at, name in enumerate(sorted({row.get('family') or row['group'] for row in rows}))}
    first = lambda index: ranges[index][0] if index >= 0 else -1
    return {
        'group': [GROUPS.index(row['group']) for row in rows],
        'family': [families[row.get('family') or row['group']] for row in rows],
        'fold': [row.get('fold', -1) for row in rows],
        'attack': [int(row['attack']) for row in rows],
        'hard': [bool(row.get('hard')) for row in rows],
        'talk': [row.get('set') == 'multi_turn' for row in rows],
        'surface': [SURFACES[row['surface']] for row in rows],
        'planted': [bool(row.get('isPlanted')) for row in rows],
        'windows': [(ranges[windows[0]][0], ranges[windows[-1]][1]) for windows, *_ in places],
        'lesson': [first(lesson) for _, lesson, _, _ in places],
        'asked': [first(asked) for _, _, asked, _ in places],
        'own': [first(own) for _, _, _, own in places],
    }


def weights_of(tensors, kept):
    weights = {}
    for name, (is_packed, raw) in tensors.items():
        if name == 'emb.word':
            weights[name] = np.frombuffer(raw, np.uint8).reshape(-1, e5.WIDTH // e5.BLOCK * e5.BLOCK_BYTES)[kept]
        elif name == 'emb.pos':
            weights[name] = np.frombuffer(raw, np.float32).reshape(-1, e5.WIDTH)[:LONGEST_POSITION].astype(np.float16)
        else:
            weights[name] = np.frombuffer(raw, np.uint8 if is_packed else np.float32)
    return weights


main()
