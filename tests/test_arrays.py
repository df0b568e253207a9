"""What the checker says of shapes and dtypes, against real JAX: what it claims has to be so."""

from __future__ import annotations

import importlib.util

import pytest

from plum_jit_lint.static import assembly
from plum_jit_lint.static.interpreter import bodies
from plum_jit_lint.static.interpreter.values import Typed, Value
from plum_jit_lint.static.modules import Module
from plum_jit_lint.static.program import Program
from plum_jit_lint.static.types.hints import ArrayArg
from plum_jit_lint.syntax.source import read_source

needs_jax = pytest.mark.skipif(not importlib.util.find_spec("jax"), reason="compares with JAX")

GIVEN = """
import jax
import jax.numpy as jnp

f = jnp.ones(3)
m = jnp.ones((2, 3))
t = jnp.zeros((4, 2, 3))
i = jnp.arange(3)
b = f > 0
c = f * 1j
s = jnp.array(2.0)
key = jax.random.PRNGKey(0)
"""

KNOWN = (
    # literals and makers
    "jnp.array(1)",
    "jnp.array([1, 2.0])",
    "jnp.array([[1, 2], [3, 4]])",
    "jnp.array([f, f])",
    "jnp.asarray(True)",
    "jnp.array([1, 2], dtype=float)",
    "jnp.array([1, 2], jnp.float16)",
    "jnp.zeros(3, int)",
    "jnp.zeros((2,), dtype='int32')",
    "jnp.full((2, 2), 1)",
    "jnp.full((2, 2), 1.0, jnp.int32)",
    "jnp.full(3, 1j)",
    "jnp.empty((1, 2, 3), bool)",
    "jnp.arange(3)",
    "jnp.arange(1, 7, 2)",
    "jnp.arange(3.0)",
    "jnp.linspace(0, 1, 5)",
    "jnp.linspace(0, 1)",
    "jnp.eye(3)",
    "jnp.ones_like(i)",
    "jnp.zeros_like(m)",
    "jax.random.normal(key, (2, 3))",
    "jax.random.uniform(key)",
    "jax.random.randint(key, (4,), 0, 2)",
    # operators
    "f + 1",
    "i + 1",
    "i + 1.0",
    "i * f",
    "i / 2",
    "i // 2",
    "i ** 2",
    "f * 1j",
    "m + f",
    "m + f[None]",
    "f + f[None]",
    "t * m",
    "s * m",
    "-i",
    "~b",
    "b & (f < 2)",
    "f == i",
    "m @ f",
    "f @ f",
    "m @ m.T",
    "2 ** f",
    "b * 2",
    "b * 1.5",
    "abs(f)",
    "2 - i",
    # indexing
    "f[0]",
    "m[0]",
    "m[0, 1]",
    "m[:, 0]",
    "m[..., 0]",
    "m[None]",
    "m[:, None]",
    "t[0, ..., 1]",
    "m[i[0]]",
    "f[1:]",
    "f[:2]",
    "f[-1]",
    "m[0][0]",
    "f.at[0].set(1.0)",
    "m.at[0, :].add(2)",
    # attributes and methods
    "m.T",
    "t.T",
    "t.mT",
    "c.real",
    "c.imag",
    "f.real",
    "m.sum()",
    "m.sum(0)",
    "m.sum(axis=1)",
    "m.sum(axis=(0, 1))",
    "m.mean(-1)",
    "i.sum()",
    "i.mean()",
    "b.sum()",
    "b.any()",
    "f.argmax()",
    "f.astype(int)",
    "f.astype(jnp.complex64)",
    "i.astype('float32')",
    "m.reshape(6)",
    "m.reshape(3, 2)",
    "m.reshape((-1,))",
    "m.reshape(3, -1)",
    "m.ravel()",
    "m.flatten()",
    "m.transpose()",
    "c.conj()",
    "i.max()",
    # functions
    "jnp.sin(f)",
    "jnp.sin(i)",
    "jnp.sqrt(c)",
    "jnp.abs(c)",
    "jnp.abs(i)",
    "jnp.real(c)",
    "jnp.square(i)",
    "jnp.sum(m)",
    "jnp.sum(m, 0)",
    "jnp.sum(m, axis=-1)",
    "jnp.mean(i)",
    "jnp.max(m, axis=1)",
    "jnp.any(b)",
    "jnp.where(b, f, 0)",
    "jnp.where(b, f, i)",
    "jnp.maximum(f, 0)",
    "jnp.add(i, 1)",
    "jnp.divide(i, i)",
    "jnp.matmul(m, f)",
    "jnp.isfinite(f)",
    "jnp.stack([f, f])",
    "jnp.concatenate([f, f])",
    "jnp.reshape(m, (3, 2))",
    "jnp.transpose(m)",
    "jnp.cumsum(f)",
    "jnp.clip(f, 0, 1)",
    "jnp.equal(f, i)",
    "jnp.power(f, 2)",
    "jax.nn.relu(f)",
    "jax.nn.softmax(m)",
    "jnp.atleast_1d(f)",
    # transforms
    "jax.vmap(lambda v: v)(m)",
    "jax.vmap(lambda v: v.sum())(m)",
    "jax.vmap(lambda v, w: v @ w)(m, m)",
    "jax.lax.map(lambda v: v * 2, m)",
    "jax.lax.map(lambda v: v.sum(), m)",
    "jax.lax.scan(lambda c, v: (c, v.sum()), 0.0, m)[1]",
    "jax.lax.scan(lambda c, v: (c + v, v), f, m)[0]",
    "jax.jit(lambda v: v.sum())(m)",
    "jnp.ones(len(m))",
    "jnp.ones(m.shape)",
    "jnp.ones(m.shape[1])",
    "jnp.zeros(m.ndim)",
)
"""Of these the shape is known to the last axis, unless it hangs on bounds, and the dtype."""

NOT_KNOWN = (
    "m.sum(0, keepdims=True)",
    "t.swapaxes(0, 1)",
    "t.transpose(1, 0, 2)",
    "f[b]",
    "m[i]",
    "m[jnp.array([0, 1])]",
    "jnp.squeeze(m)",
    "jnp.einsum('ij,j->i', m, f)",
    "jnp.cumsum(m)",
    "jnp.stack([f, f], axis=1)",
    "jnp.concatenate([m, m], axis=1)",
    "jax.vmap(lambda v: v, in_axes=1)(m)",
    "jax.vmap(lambda v: v, out_axes=1)(m)",
    "jnp.vectorize(lambda v: v * 2)(m)",
    "jax.lax.associative_scan(jnp.add, f)",
    "jax.lax.cumsum(m)",
    "jnp.dot(t, m.T)",
    "jnp.tile(f, 2)",
    "jnp.expand_dims(f, 0)",
    "jnp.broadcast_to(f, (2, 3))",
    "jnp.linspace(f, f + 1, 5)",
    "jnp.arange(0.0, 1.0, 0.1)",
    "jnp.round(f, 2)",
    "b - 1",
    "b + b",
    "i >> 1",
    "jnp.take(m, 0, axis=1)",
    "m.take(i)",
    "jnp.outer(f, f)",
    "jnp.linalg.norm(f)",
    "jnp.fft.fft(f)",
    "jnp.sort(m)",
    "jnp.argsort(f)",
    "jnp.repeat(f, 2)",
    "jnp.diff(f)",
    "jnp.histogram(f)[0]",
    "jnp.nonzero(f)[0]",
    "jnp.meshgrid(f, f)[0]",
    "jnp.hstack([m, m])",
    "jnp.vstack([f, f])",
    "jnp.median(m, axis=0)",
    "jnp.prod(b)",
    "jnp.ones((2, 3))[1:, 0]",
    "jnp.eye(2, 3)",
    "jnp.full_like(f, 2)",
    "jnp.roll(m, 1)",
    "jax.random.bernoulli(key, 0.5, (3,))",
    "jax.random.choice(key, f)",
    "jax.random.split(key)[0]",
    "jax.nn.one_hot(i, 3)",
    "jax.grad(lambda v: v.sum())(m)",
    "jax.scipy.special.logsumexp(m)",
)


def checked(expressions: tuple[str, ...]) -> list[Value]:
    """What the abstract run makes of the expressions, each bound to a name of its own."""
    lines = [f"result_{number} = {text}" for number, text in enumerate(expressions)]
    module_facts = read_source((GIVEN + "\n".join(lines)).encode(), by_libcst=True)
    program = Program()
    module = Module(program, "arrays", "arrays.py", module_facts, False, is_root=True)
    run = assembly.begin(program)
    run.now.frame.scopes.append(module.scope)
    bodies.execute_each(run, module.scope, module_facts.body)
    return [module.scope.names[f"result_{number}"] for number in range(len(expressions))]


@pytest.fixture(scope="module")
def names() -> dict[str, object]:
    found: dict[str, object] = {}
    exec(GIVEN, found)
    return found


def claims(value: Value, real: object) -> ArrayArg:
    """What is claimed of an array, which has to hold."""
    assert isinstance(value, Typed)
    assert isinstance(value.argument, ArrayArg)
    claimed, shape, dtype = value.argument, real.shape, str(real.dtype)  # type: ignore[attr-defined]
    if claimed.shape is not None:
        assert len(claimed.shape) == len(shape)
        assert all(a in (None, b) for a, b in zip(claimed.shape, shape, strict=True))
    assert claimed.dtype in (None, dtype)
    return claimed


BY_NAME = dict(zip(KNOWN, checked(KNOWN), strict=True))
OTHERS = dict(zip(NOT_KNOWN, checked(NOT_KNOWN), strict=True))


@needs_jax
@pytest.mark.parametrize("expression", KNOWN)
def test_what_is_claimed_is_so(expression: str, names: dict[str, object]) -> None:
    claimed = claims(BY_NAME[expression], eval(expression, names))
    assert claimed.shape is not None
    assert claimed.dtype is not None


@needs_jax
@pytest.mark.parametrize("expression", NOT_KNOWN)
def test_nothing_is_claimed_that_is_not_so(expression: str, names: dict[str, object]) -> None:
    value, real = OTHERS[expression], eval(expression, names)
    if isinstance(value, Typed):
        claims(value, real)
