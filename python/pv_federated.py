"""Takes part in a federated round with the LoRA adapter of a PyTorch loop, and applies what the round gives.

    manifest = read_manifest("manifest.json")                # whose signature was checked
    adapter = {name: p for name, p in model.named_parameters() if "lora_" in name}
    write_submission("submission", manifest, "alice.key", adapter, num_samples=1200, train_loss=1.9)
    ...                                                      # hand the folder to the node, and wait for the result
    apply_adapter(model, "adapter_model.safetensors", sha)   # the SHA-256 from the result of the round

Names are PEFT's: base_model.model.PATH.lora_A.weight (rank x inputs) and .lora_B.weight (outputs x rank); PEFT's own infix for the
adapter's name (lora_A.default.weight) is removed. Needs torch and nothing else. Clip and noise the adapter before, as the manifest asks.
"""

import base64, ctypes, datetime, hashlib, json, math, os, re, struct

import torch


def read_manifest(path):
    """The manifest of a round, whose signature must have been checked; its `sha` is that of its canonical JSON without the signature."""
    with open(path, encoding="utf-8") as file:
        manifest = json.load(file)
    unsigned = {name: value for name, value in manifest.items() if name != "coordinator_sig"}
    return {**manifest, "sha": hashlib.sha256(canonical(unsigned)).hexdigest()}


def write_submission(folder, manifest, key_file, adapter, num_samples, train_loss):
    """Writes the adapter and its signed submission to a new folder."""
    if manifest["secure"] != "off":
        raise ValueError("a submission shows the adapter, which a round with secure aggregation must not")
    tensors, rank = tensors_of(adapter), manifest["lora_rank"]
    if not tensors:
        raise ValueError("there is no LoRA factor")
    for name, tensor in tensors.items():
        axis = {"lora_A": 0, "lora_B": 1}.get(name.split(".")[-2])
        if axis is None or tensor.dim() != 2 or tensor.shape[axis] != rank:
            raise ValueError(f"{name} is not a factor of rank {rank}")
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{name} has elements that are not finite")
    with open(key_file, encoding="utf-8") as file:
        name, secret = signer_key(file.read())
    delta = safetensors(tensors)
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    about = {"round_id": manifest["round_id"], "manifest_sha": manifest["sha"], "participant": verifier_key(name, secret)}
    file = {"delta_sha": hashlib.sha256(delta).hexdigest(), "delta_size": len(delta)}
    told = {"num_samples": num_samples, "train_loss": train_loss, "submitted_at": now}
    statement = {**about, **file, **told}
    kind = b"application/vnd.pv.fedlearn.submission.v1+json"
    text = canonical(statement)
    signature = sign(secret, b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(text), text))
    os.makedirs(folder)
    for name, content in [("adapter_model.safetensors", delta), ("submission.json", canonical({**statement, "signature": b64(signature)}))]:
        with open(os.path.join(folder, name), "xb") as file:
            file.write(content)


def apply_adapter(model, path, sha):
    """Loads a published adapter into the factors of the same names, after checking its SHA-256 and every shape."""
    with open(path, "rb") as file:
        content = file.read()
    if hashlib.sha256(content).hexdigest() != sha:
        raise ValueError(f"{path} is not the adapter {sha}")
    length = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + length])
    own = tensors_of({name: p for name, p in model.named_parameters() if "lora_" in name})
    header.pop("__metadata__", None)
    if set(header) != set(own):
        raise ValueError(f"the factors differ: {sorted(set(header) ^ set(own))[:4]}")
    for name, place in header.items():
        if place["dtype"] != "F32" or place["shape"] != list(own[name].shape):
            raise ValueError(f"{name} is not float32 of shape {list(own[name].shape)}")
    with torch.no_grad():
        for name, place in header.items():
            start, end = place["data_offsets"]
            values = torch.frombuffer(bytearray(content[8 + length + start : 8 + length + end]), dtype=torch.float32)
            own[name].copy_(values.reshape(place["shape"]))


def tensors_of(adapter):
    """Factors by PEFT's names in files, sorted."""
    return {re.sub(r"\.(lora_[AB])\.[^.]+\.weight$", r".\1.weight", name): adapter[name] for name in sorted(adapter)}


def safetensors(tensors):
    """The bytes of a safetensors file with float32 tensors."""
    header, data, end = {}, [], 0
    for name, tensor in tensors.items():
        values = tensor.detach().cpu().float().contiguous()
        data.append(ctypes.string_at(values.data_ptr(), 4 * values.numel()))
        start, end = end, end + len(data[-1])
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(data)


def canonical(value):
    """Canonical JSON (RFC 8785) of objects, lists, strings, numbers, booleans and None."""
    return encoded(value).encode()


def encoded(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{encoded(key)}:{encoded(value[key])}" for key in keys) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(encoded, value)) + "]"
    if isinstance(value, float):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def number(value):
    """A finite float as ECMAScript writes it: the shortest digits, with an exponent below 1e-6 and from 1e21."""
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be written as JSON")
    if value == 0:
        return "0"
    sign_, digits, exponent = ("-" if value < 0 else ""), *_digits(abs(value))
    point = len(digits) + exponent
    if 0 < point <= 21:
        return sign_ + (digits + "0" * exponent if exponent >= 0 else f"{digits[:point]}.{digits[point:]}")
    if -6 < point <= 0:
        return f"{sign_}0.{'0' * -point}{digits}"
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign_}{digits[0]}{fraction}e{point - 1:+d}"


def _digits(value):
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0")
    digits = (whole + fraction).lstrip("0")
    shortest = digits.rstrip("0")
    return shortest, int(exponent or 0) - len(fraction) + len(digits) - len(shortest)


# Ed25519 after RFC 8032, section 6. Its time depends on the key: sign on a machine of your own.
P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
BASE_Y = 4 * pow(5, P - 2, P) % P


def _add(a, b):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = a, b
    e, f = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    g, h = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    return ((f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P)


def _times(scalar):
    result, power = (0, 1, 1, 0), (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)
    while scalar > 0:
        if scalar & 1:
            result = _add(result, power)
        power, scalar = _add(power, power), scalar >> 1
    inverse = pow(result[2], P - 2, P)
    x, y = result[0] * inverse % P, result[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _scalar(secret):
    digest = hashlib.sha512(secret).digest()
    return int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | (1 << 254), digest[32:]


def sign(secret, message):
    """The Ed25519 signature of `message` by a secret of 32 bytes."""
    scalar, prefix = _scalar(secret)
    public = _times(scalar)
    r = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % Q
    point = _times(r)
    h = int.from_bytes(hashlib.sha512(point + public + message).digest(), "little") % Q
    return point + ((r + h * scalar) % Q).to_bytes(32, "little")


def b64(content):
    return base64.b64encode(content).decode()


def signer_key(text):
    """Name and secret of a key file: PRIVATE+KEY+NAME+ID+BASE64."""
    parts = text.strip().split("+", 4)
    material = base64.b64decode(parts[4], validate=True) if len(parts) == 5 and parts[:2] == ["PRIVATE", "KEY"] else b""
    if len(material) != 33 or material[0] != 1:
        raise ValueError("the key file is not an Ed25519 key: PRIVATE+KEY+NAME+ID+BASE64")
    return parts[2], material[1:]


def verifier_key(name, secret):
    """The node's ID, NAME+ID+BASE64."""
    public = b"\x01" + _times(_scalar(secret)[0])
    key_id = hashlib.sha256(name.encode() + b"\n" + public).hexdigest()[:8]
    return f"{name}+{key_id}+{b64(public)}"
