/*
 * The forward pass as plain C loops, in the order of llama2.c's run.c: what a C compiler makes of the same work.
 *
 *   gcc -O3 -ffp-contract=off peer.c -o peer -lm;  ./peer model.bin positions repeats logits.f32
 *
 * Greedy from BOS. Prints the microseconds of processor time of a position, the least of the repeats, and writes the last logits, so that
 * whoever compares times can see that the work was the same.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { int dim, hidden, layers, heads, kv_heads, vocab, length; } Config;

static void product(float *out, const float *x, const float *w, int columns, int rows) {
  for (int i = 0; i < rows; i++) {
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) sum += w[(size_t)i * columns + j] * x[j];
    out[i] = sum;
  }
}

static void rmsnorm(float *out, const float *x, const float *gain, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  float scale = 1.0f / sqrtf(sum / n + 1e-5f);
  for (int i = 0; i < n; i++) out[i] = gain[i] * (scale * x[i]);
}

static void softmax(float *x, int n) {
  float most = x[0], sum = 0.0f;
  for (int i = 1; i < n; i++) if (x[i] > most) most = x[i];
  for (int i = 0; i < n; i++) sum += x[i] = expf(x[i] - most);
  for (int i = 0; i < n; i++) x[i] /= sum;
}

static void rotate(float *x, int n, int head, int position) {
  for (int i = 0; i < n; i += 2) {
    float angle = position * (1.0f / powf(10000.0f, (i % head) / (float)head));
    float c = cosf(angle), s = sinf(angle), a = x[i], b = x[i + 1];
    x[i] = a * c - b * s;
    x[i + 1] = a * s + b * c;
  }
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  FILE *file = fopen(arguments[1], "rb");
  Config c;
  if (!file || fread(&c, sizeof c, 1, file) != 1) return 1;
  fseek(file, 0, SEEK_END);
  size_t size = ftell(file) - sizeof c;
  fseek(file, sizeof c, SEEK_SET);
  float *data = malloc(size);
  if (fread(data, 1, size, file) != size) return 1;
  fclose(file);

  int vocab = abs(c.vocab), head = c.dim / c.heads, kv = head * c.kv_heads, group = c.heads / c.kv_heads;
  size_t d = c.dim, L = c.layers;
  const float *embedding = data, *norm1 = embedding + vocab * d, *wq = norm1 + L * d, *wk = wq + L * d * d, *wv = wk + L * d * kv;
  const float *wo = wv + L * d * kv, *norm2 = wo + L * d * d, *w1 = norm2 + L * d, *w2 = w1 + L * d * c.hidden;
  const float *w3 = w2 + L * d * c.hidden, *last_norm = w3 + L * d * c.hidden;
  const float *classifier = c.vocab > 0 ? embedding : last_norm + d + (size_t)c.length * head;

  float *x = malloc(4 * d), *y = malloc(4 * d), *z = malloc(4 * d), *q = malloc(4 * d), *gate = malloc(4 * c.hidden);
  float *up = malloc(4 * c.hidden), *scores = malloc(4 * c.length), *logits = malloc(4 * (size_t)vocab);
  float *keys = calloc(L * c.length * kv, 4), *values = calloc(L * c.length * kv, 4);
  int positions = atoi(arguments[2]), repeats = atoi(arguments[3]);
  double best = 1e30;

  for (int repeat = 0; repeat < repeats; repeat++) {
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    int token = 1;
    for (int position = 0; position < positions; position++) {
      memcpy(x, embedding + token * d, 4 * d);
      for (size_t l = 0; l < L; l++) {
        float *k = keys + (l * c.length + position) * kv, *v = values + (l * c.length + position) * kv;
        rmsnorm(y, x, norm1 + l * d, d);
        product(q, y, wq + l * d * d, d, d);
        product(k, y, wk + l * d * kv, d, kv);
        product(v, y, wv + l * d * kv, d, kv);
        rotate(q, d, head, position);
        rotate(k, kv, head, position);
        for (int h = 0; h < c.heads; h++) {
          size_t at = l * c.length * kv + h / group * head;
          for (int t = 0; t <= position; t++) {
            float sum = 0.0f;
            for (int i = 0; i < head; i++) sum += q[h * head + i] * keys[at + (size_t)t * kv + i];
            scores[t] = sum / sqrtf(head);
          }
          softmax(scores, position + 1);
          float *out = z + h * head;
          memset(out, 0, 4 * head);
          for (int t = 0; t <= position; t++)
            for (int i = 0; i < head; i++) out[i] += scores[t] * values[at + (size_t)t * kv + i];
        }
        product(y, z, wo + l * d * d, d, d);
        for (size_t i = 0; i < d; i++) x[i] += y[i];
        rmsnorm(y, x, norm2 + l * d, d);
        product(gate, y, w1 + l * d * c.hidden, d, c.hidden);
        product(up, y, w3 + l * d * c.hidden, d, c.hidden);
        for (int i = 0; i < c.hidden; i++) gate[i] = gate[i] * (1.0f / (1.0f + expf(-gate[i]))) * up[i];
        product(y, gate, w2 + l * d * c.hidden, c.hidden, d);
        for (size_t i = 0; i < d; i++) x[i] += y[i];
      }
      rmsnorm(x, x, last_norm, d);
      product(logits, x, classifier, d, vocab);
      token = 0;
      for (int i = 1; i < vocab; i++) if (logits[i] > logits[token]) token = i;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = end.tv_sec - start.tv_sec + 1e-9 * (end.tv_nsec - start.tv_nsec);
    if (seconds < best) best = seconds;
  }
  file = fopen(arguments[4], "wb");
  if (!file || fwrite(logits, 4, vocab, file) != (size_t)vocab || fclose(file)) return 1;
  printf("%.3f\n", 1e6 * best / positions);
  return 0;
}
