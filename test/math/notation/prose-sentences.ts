/** Sentences of the kind that stand in the formal fields of contracts, and that say no mathematics. */
export const proseSentences: readonly string[] = `
Larger model
Linear in P
One handle per context
Greedy GPU matches CPU exactly
Monotone in the number of layers
Loss decreases during warmup
No gradient leaks between cycles
Faster than the baseline
Same seed gives the same shuffle
Output is deterministic
Output is deterministic given the seed
All heads share one mask
Every worker sees each file once
Each token attends to itself
Weights are tied
Weights and biases are updated together
Forward and backward agree
Sorted and stable
Thread-safe within one stream
Row-major layout
Non-negative
Non-empty array of strings
Bitwise identical across runs
Bit-exact with the scalar path
Numerically stable for long sequences
Causal mask hides the future
Padding never contributes
Padding tokens do not contribute to the loss
Probability simplex
Positive definite
Symmetric in its arguments
Idempotent under repeated application
Commutes with permutation of rows
Permutation equivariant
Scale invariant
Shift invariant by construction
Quadratic in sequence length
Linear in sequence length
Constant in batch size
Cubic in width
Bounded by the Lipschitz constant
Bounded above and below
Strictly increasing
Strictly increasing until saturation
Monotonically decreasing after warmup
Approximately constant across layers
Converges to the true posterior
Converges almost surely
Unbiased estimator of the gradient
Lower is better
Higher entropy means more randomness
More data => better model
Bigger batch -> fewer steps
Model loads without error
Model refuses to load
Loader rejects unknown keys
Loader rejects unknown keys with a clear error
Returns an error
Returns None when the cache is empty
Returns f(x) for valid inputs
Raises on shape mismatch
Panics in debug builds only
Falls back to the scalar kernel
Uses AVX2 when available
Uses at most two temporary buffers
Uses less memory than the baseline
Runs in constant time
Takes 10 minutes on one GPU
Takes about 3 hours
Checkpoint is written atomically
Checkpoint round trip preserves all tensors
Checkpoint file exists after training
Training resumes from step 1000
Training loss must not increase
Validation perplexity improves by 5%
Validation perplexity within 1% of the reference
Perplexity below 40 at step 6000
Accuracy above 90 percent
Speed-up of 2x over eager mode
At least one file per worker
At most one writer at a time
Exactly three optimizer steps
Exactly 50% of the weights are zero
Ten thousand random inputs
Random inputs in [-1, 1]
Random seeds 0 to 9
Random matrix A of shape (n, n)
Any valid configuration
Any permutation of the input
All parameters receive gradients
All values finite
All intermediate values stay in float32
Some layers are frozen
None of the keys are missing
Both paths agree
Neither path allocates
Either side may be empty
Only the last position is sampled
Only rank 0 writes
See section 3 of the paper
See Kingma and Ba (2015)
As in Vaswani et al. (2017)
Following Loshchilov & Hutter
Eq. 5 in the appendix
Algorithm 1, line 7
Figure 2 shows the effect
Theorem 1 applies
By induction on the number of layers
By the triangle inequality
Follows from convexity
Holds trivially
Holds for all inputs
Holds when the mask is causal
Not applicable
Not yet implemented
Unknown
Unspecified
Deprecated since v2
To be decided
Work in progress
Standard transformer block
Standard normal distribution
Pre-norm residual connection
Feed-forward network with SwiGLU
Rotary position embedding
Grouped query attention with 8 groups
Key/value cache
Mixture of experts
Mixture of 8 experts, top 2
Attention over the last 128 tokens
Embedding table
Vocabulary of 32000 tokens
Context length 2048
Hidden size 1024, 24 layers
Batch of 32 sequences
Learning rate schedule
Learning rate warms up linearly then decays
Warmup 10% then cosine decay
Cosine decay to zero
Weight decay applied to matrices only
Gradient clipping at norm 1
Gradient norm stays bounded
Gradient flows through the skip path
Optimizer state in float32
Optimizer steps once per N micro-batches
Momentum and variance buffers
Adam with bias correction
AdamW (decoupled weight decay)
SGD + momentum
SGD / Adam
Encoder-decoder
Input/output pairs
Read/write lock
Client and server
CPU and GPU results match
CPU, GPU and TPU
GPU memory
GPU utilisation over 70%
One CUDA stream per device
NCCL all-reduce over 8 ranks
Little-endian IEEE 754
Q4_K blocks of 256 elements
F16 to F32 conversion is exact
INT8 quantization error is small
Round to nearest even
Fused multiply-add not used
Kahan summation
Sum of squares
Mean of the batch
Max over the row
Dot product of query and key
Norm of the weights
Square root of the variance
Distance to the nearest centroid
Number of classes
Number of visible tokens
Index of the largest logit
Set of attention layers
List of integers
Pair of floats
Ratio of norms
Fraction of zeros
Rank of the matrix
Trace of the kernel
Time per token
Bytes per weight
Tokens per second
Tests pass
Tests pass on Node 20 and 24
cargo test passes
git diff is empty
npm run check exits 0
grep finds nothing
docker run exits with status 0
config.json parses
model.safetensors exists
tokenizer.json has 32000 entries
softmax is stable
softmax of the scaled scores
relu of x is never negative
relu zeroes negative inputs
exp may overflow
log of zero is undefined
x is a vector
x is the input
x must be sorted
x and y have the same shape
x and y are independent
n is even or odd
a is an array
A is invertible
I is the identity
i runs over the batch
If the mask is full, the row is uniform
If training diverges, reduce the learning rate
When the cache is full the oldest entry goes
When n grows the error grows
For small inputs
For every layer
For all practical purposes
Given a trained model
Given enough memory
Where possible
With dropout disabled
Without bias
Within tolerance
Within floating point tolerance
Up to permutation
Up to 8 ULP
Over all epochs
Under heavy load
Between 5 and 10 percent
After training
After 100 steps the loss is lower
Before the first step
During evaluation
Until convergence
—
n/a
`
  .trim()
  .split('\n');
