"""Trains encoders and writes their scores of texts that they did not see:

    python train.py FOLDER OUT [--seconds LIMIT] [--without-requests] [--small]

FOLDER is that of prepare.py. Each run trains the teacher (multilingual-e5-small, 12 layers) and distils the students from it: once without each fold of
families, once with all of them and author B or C (`with-B` is judged on C and the other way round), and once with neither. OUT/scores.npz holds, for each run, the
windows and each model's logits. On one H100 a run takes about 55 seconds; --small tries the code on a processor.
"""
import argparse
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import e5

MOST_ASKED = 30
LENGTH = 160
SURFACES = 4
USER, TOOL = 0, 1
TRAIN, OWN, SCENE, A, B, C, DEV = range(7)
FOLDS = 6
SMOOTHED = 0.02

options = argparse.ArgumentParser()
options.add_argument('folder')
options.add_argument('out')
options.add_argument('--seconds', type=float, default=1e9)
options.add_argument('--without-requests', action='store_true')
options.add_argument('--small', action='store_true')
options = options.parse_args()

started = time.time()
device = 'cuda' if torch.cuda.is_available() else 'cpu'
torch.manual_seed(1)
data = np.load(f'{options.folder}/tokens.npz')
tokens, offsets = data['tokens'].astype(np.int64), data['offsets']
items = np.load(f'{options.folder}/items.npz')
items = {name: items[name] for name in items.files}
encoder = np.load(f'{options.folder}/encoder.npz')
words = torch.tensor(e5.unpacked(encoder['emb.word'], e5.WIDTH))
centred = words - words.mean(0)
axes = torch.linalg.svd(centred[4:20_000], full_matrices=False)[2]


def log(*text):
    print(f'[{time.time() - started:6.1f} s]', *text, flush=True)


# --- Models


class Layer(nn.Module):
    """A layer of BERT."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, mask):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(batch, length, width)
        x = self.norm1(x + self.dropout(self.out(attended)))
        return self.norm2(x + self.dropout(self.outer(F.gelu(self.inner(x)))))

    def load(self, layer):
        matrix = lambda name, columns=e5.WIDTH: torch.tensor(e5.unpacked(encoder[f'l{layer}.{name}.w'], columns))
        vector = lambda name: torch.tensor(encoder[f'l{layer}.{name}'])
        self.qkv.weight.data = torch.cat([matrix('q'), matrix('k'), matrix('v')])
        self.qkv.bias.data = torch.cat([vector('q.b'), vector('k.b'), vector('v.b')])
        for part, name, columns in ((self.out, 'ao', e5.WIDTH), (self.inner, 'fi', e5.WIDTH), (self.outer, 'fo', e5.INNER)):
            part.weight.data, part.bias.data = matrix(name, columns), vector(f'{name}.b')
        for part, name in ((self.norm1, 'aln'), (self.norm2, 'oln')):
            part.weight.data, part.bias.data = vector(f'{name}.w'), vector(f'{name}.b')


class Pool(nn.Module):
    """A logit from the mean token and the tokens that count most."""

    def __init__(self, width):
        super().__init__()
        self.attention, self.hidden, self.out = nn.Linear(width, 1), nn.Linear(2 * width, width), nn.Linear(width, 1)

    def forward(self, x, is_token):
        weights = self.attention(x).squeeze(-1).float().masked_fill(~is_token, -1e4).softmax(-1).to(x.dtype)
        mean = (x * is_token.unsqueeze(-1)).sum(1) / is_token.sum(1, keepdim=True)
        pooled = torch.cat([(weights.unsqueeze(-1) * x).sum(1), mean], -1)
        return self.out(F.gelu(self.hidden(pooled))).squeeze(-1).float()


class Transformer(nn.Module):
    """Layers of E5 if the width is E5's, else new ones. Word vectors are frozen."""

    def __init__(self, width, layers):
        super().__init__()
        self.width = width
        self.word = nn.Embedding(len(words), width)
        self.place, self.surface = nn.Embedding(LENGTH, width), nn.Embedding(SURFACES, width)
        self.norm, self.dropout, self.pool = nn.LayerNorm(width, eps=1e-12), nn.Dropout(0.1), Pool(width)
        self.layers = nn.ModuleList([Layer(width, e5.HEADS if width == e5.WIDTH else width // 32) for _ in range(layers)])
        for part in (self.place, self.surface):
            nn.init.normal_(part.weight, std=0.02)
        if width == e5.WIDTH:
            self.word.weight.data.copy_(words)
            self.place.weight.data.copy_(torch.tensor(encoder['emb.pos'].astype(np.float32))[:LENGTH])
            self.surface.weight.data += torch.tensor(encoder['emb.type'][:width])
            self.norm.weight.data, self.norm.bias.data = torch.tensor(encoder['emb.ln.w']), torch.tensor(encoder['emb.ln.b'])
            for at, layer in enumerate(self.layers):
                layer.load(at)
        else:
            self.word.weight.data.copy_((centred @ axes[:width].T) * (e5.WIDTH / width) ** 0.5)
        self.word.weight.requires_grad_(False)

    def forward(self, x, surface):
        is_token = x != e5.PAD
        h = self.dropout(self.norm(self.word(x) + self.place.weight[: x.shape[1]] + self.surface(surface).unsqueeze(1)))
        for layer in self.layers:
            h = layer(h, is_token[:, None, None, :])
        return self.pool(h, is_token), h


class Vectors(nn.Module):
    """Word vectors by themselves, or with convolutions over three words."""

    def __init__(self, width, convolutions=()):
        super().__init__()
        self.word, self.surface, self.dropout = nn.Embedding(len(words), width), nn.Embedding(SURFACES, width), nn.Dropout(0.2)
        self.word.weight.data.copy_((centred @ axes[:width].T) * 3)
        nn.init.normal_(self.surface.weight, std=0.02)
        sizes = [width, *convolutions]
        self.convolutions = nn.ModuleList([nn.Conv1d(a, b, 3, padding=1) for a, b in zip(sizes, sizes[1:])])
        self.norms = nn.ModuleList([nn.LayerNorm(size) for size in convolutions])
        self.width, self.pool = sizes[-1], Pool(sizes[-1])

    def forward(self, x, surface):
        is_token = x != e5.PAD
        h = self.dropout(self.word(x) + self.surface(surface).unsqueeze(1)) * is_token.unsqueeze(-1)
        for convolution, norm in zip(self.convolutions, self.norms):
            more = norm(F.gelu(convolution(h.transpose(1, 2)).transpose(1, 2)))
            h = (more + h if more.shape == h.shape else more) * is_token.unsqueeze(-1)
        return self.pool(h, is_token), h


TEACHER = lambda: Transformer(e5.WIDTH, e5.LAYERS)
STUDENTS = {
    'vectors 128': (lambda: Vectors(128), 2e-3),
    'convolutions 192': (lambda: Vectors(128, (192, 192)), 1e-3),
    '2 layers of 256': (lambda: Transformer(256, 2), 6e-4),
    '2 layers of 384': (lambda: Transformer(384, 2), 3e-4),
    '4 layers of 384': (lambda: Transformer(384, 4), 2e-4),
}

# --- Texts: (window, request or -1, surface, label, weight)


def lesson_of(row, random):
    """The window to learn from: the planted order with its surroundings, or any window of the text."""
    lesson, (first, end) = items['lesson'][row], items['windows'][row]
    if items['attack'][row] and lesson >= 0:
        return lesson
    return first if items['attack'][row] and random.random() < 0.6 else random.integers(first, end)


def epoch(fold, authors, random, part):
    """The texts of one epoch: without a fold of families, with these authors."""
    group, attack, hard = items['group'], items['attack'] == 1, items['hard']
    train = (group == TRAIN) & (items['fold'] != fold)
    sizes = np.bincount(items['family'][train & attack])
    picks = [
        (train & attack, 12_000),
        (train & ~attack & hard, 9_000),
        (train & ~attack & ~hard, 22_000),
        ((group == OWN) & attack, 5_000),
        ((group == OWN) & ~attack, 9_000),
        (group == SCENE, 12_000),
    ]
    requests = np.unique(items['asked'][(group == SCENE) & (items['asked'] >= 0)])
    texts = []
    for chosen, count in picks:
        rows = np.flatnonzero(chosen)
        # Large families count less than their size.
        weights = sizes[items['family'][rows]] ** -0.5 if chosen[rows[0]] and (train & attack)[rows[0]] else np.ones(len(rows))
        count = int(count * part)
        for row in random.choice(rows, count, replace=count > len(rows), p=weights / weights.sum()):
            surface, asked, label = items['surface'][row], items['asked'][row], attack[row]
            # The sets' documents are labelled as a user's.
            if group[row] != SCENE and surface in (USER, TOOL):
                if random.random() < (0.1 if label or surface == TOOL else 0.4):
                    surface = TOOL if surface == USER else USER
            if surface == TOOL and asked < 0 and random.random() < 0.8:
                asked = random.choice(requests)
            if items['own'][row] >= 0 and not options.without_requests and random.random() < 0.35:
                asked, label = items['own'][row], False
            texts.append((lesson_of(row, random), asked, surface, label, 1.0))
    for row in np.flatnonzero(np.isin(group, authors) & ~items['talk']):
        label = attack[row] and items['planted'][row]
        if random.random() < 2 * part and (label or not attack[row] or random.random() < 0.3):
            first, end = items['windows'][row]
            texts.append((first if label else random.integers(first, end), items['asked'][row], items['surface'][row], label, 1.5))
    return texts


def tokens_of(window, asked):
    """`<s> request </s> window </s>`, or `<s> window </s>`."""
    shown = tokens[offsets[window]:offsets[window + 1]]
    if asked < 0 or options.without_requests:
        return [e5.START, *shown, e5.END]
    request = tokens[offsets[asked]:min(offsets[asked + 1], offsets[asked] + MOST_ASKED)]
    return [e5.START, *request, e5.END, *shown, e5.END]


def size_of(text):
    return sum(offsets[index + 1] - offsets[index] for index in text[:2] if index >= 0)


def packed(texts):
    rows = [tokens_of(window, asked)[:LENGTH] for window, asked, *_ in texts]
    x = np.full((len(rows), (max(map(len, rows)) + 7) // 8 * 8), e5.PAD, np.int64)
    for at, row in enumerate(rows):
        x[at, :len(row)] = row
    column = lambda place, kind: torch.tensor([text[place] for text in texts], dtype=kind, device=device)
    return torch.tensor(x).to(device), column(2, torch.long), column(3, torch.float), column(4, torch.float)


def batches(texts, size, random):
    """Batches of texts of about one length, in random order."""
    random.shuffle(texts)
    for at in range(0, len(texts), 24 * size):
        part = sorted(texts[at:at + 24 * size], key=size_of)
        for batch in random.permutation(range(0, len(part), size)):
            if len(part[batch:batch + size]) >= 8:
                yield packed(part[batch:batch + size])


# --- Training


def optimiser(model, rate):
    parameters = [one for one in model.parameters() if one.requires_grad]
    groups = [
        {'params': [one for one in parameters if one.dim() > 1], 'weight_decay': 0.01},
        {'params': [one for one in parameters if one.dim() <= 1], 'weight_decay': 0},
    ]
    return torch.optim.AdamW(groups, lr=rate, fused=device == 'cuda')


def step(model, optimiser, loss, rate, at):
    """One step; the rate rises over the first 6 % and then falls to nearly 0. `at` is the part that is done."""
    for group in optimiser.param_groups:
        group['lr'] = rate * min(1, at / 0.06 + 0.01) * max(0.02, 1 - at)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()


def mixed():
    return torch.autocast(device, torch.bfloat16)


def loss_of(logits, labels, weights):
    smoothed = labels * (1 - 2 * SMOOTHED) + SMOOTHED
    return (F.binary_cross_entropy_with_logits(logits, smoothed, reduction='none') * weights).mean()


def train_teacher(epochs, rate=1e-4):
    model, random = TEACHER().to(device).train(), np.random.default_rng(7)
    adam = optimiser(model, rate)
    size = 16 if options.small else 192
    total, done = sum(len(texts) for texts in epochs) / size, 0
    for texts in epochs:
        for x, surface, labels, weights in batches(list(texts), size, random):
            with mixed():
                logits, _ = model(x, surface)
            step(model, adam, loss_of(logits, labels, weights), rate, done / total)
            done += 1
    return model.eval()


def train_students(teacher, epochs):
    """Students learn the teacher's logits, the labels, and the teacher's last hidden states."""
    students = {name: make().to(device).train() for name, (make, _) in STUDENTS.items()}
    towards = {name: nn.Linear(model.width, e5.WIDTH).to(device) for name, model in students.items()}
    both = {name: nn.ModuleList([students[name], towards[name]]) for name in students}
    adams = {name: optimiser(both[name], STUDENTS[name][1]) for name in students}
    random, size = np.random.default_rng(8), 16 if options.small else 384
    total, done = sum(len(texts) for texts in epochs) / size, 0
    for texts in epochs:
        for x, surface, labels, weights in batches(list(texts), size, random):
            with torch.no_grad(), mixed():
                taught, states = teacher(x, surface)
            taught, states = torch.sigmoid(taught), F.layer_norm(states.float(), (e5.WIDTH,))
            is_token = (x != e5.PAD).unsqueeze(-1)
            for name, model in students.items():
                with mixed():
                    logits, own = model(x, surface)
                    own = towards[name](own)
                distance = (((own.float() - states) ** 2) * is_token).sum() / (is_token.sum() * e5.WIDTH)
                loss = 0.7 * F.binary_cross_entropy_with_logits(logits, taught) + 0.3 * loss_of(logits, labels, weights) + 0.3 * distance
                step(both[name], adams[name], loss, STUDENTS[name][1], done / total)
            done += 1
    return {name: model.eval() for name, model in students.items()}


@torch.no_grad()
def logits_of(model, texts):
    logits = np.zeros(len(texts), np.float16)
    order, size = sorted(range(len(texts)), key=lambda at: size_of(texts[at])), 64 if options.small else 1024
    for at in range(0, len(order), size):
        chosen = order[at:at + size]
        x, surface, *_ = packed([texts[one] for one in chosen])
        with mixed():
            logits[chosen] = model(x, surface)[0].float().cpu().numpy()
    return logits


def judged_texts(rows):
    rows = rows[:20] if options.small else rows
    return [(w, items['asked'][r], items['surface'][r], 0, 1) for r in rows for w in range(*items['windows'][r])]


def main():
    group = items['group']
    others = np.flatnonzero(np.isin(group, (A, B, C, DEV)))
    runs = [('all', -9, []), ('with-B', -9, [B]), ('with-C', -9, [C])]
    runs += [(f'fold-{fold}', fold, []) for fold in range(FOLDS)]
    scores, longest = {}, 0
    for name, fold, authors in runs[:1] if options.small else runs:
        since = time.time()
        if since - started + longest > options.seconds:
            log('no time for', name)
            continue
        random, part = np.random.default_rng(7), 0.001 if options.small else 1
        epochs = [epoch(fold, authors, random, part) for _ in range(3)]
        teacher = train_teacher(epochs[:2])
        models = {'teacher': teacher, **train_students(teacher, epochs)}
        texts = judged_texts(others if fold < 0 else np.flatnonzero((group == TRAIN) & (items['fold'] == fold)))
        scores[f'{name}/windows'] = np.array([text[0] for text in texts], np.int32)
        for model_name, model in models.items():
            scores[f'{name}/{model_name}'] = logits_of(model, texts)
        np.savez_compressed(f'{options.out}/scores.npz', **scores)
        longest = max(longest, time.time() - since)
        log(name, f'{time.time() - since:.1f} s')


main()
