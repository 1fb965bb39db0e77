"""Figures of crops, from arrays and files."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import loupe_render as loupe


@pytest.fixture
def truth() -> NDArray[np.uint8]:
    return np.random.default_rng(4).integers(0, 256, (90, 120, 3), dtype=np.uint8)


def test_numbers_are_those_of_numpy(truth: NDArray[np.uint8]) -> None:
    methods = {"Ours": truth // 2 + 60, "Theirs": truth // 4}
    figure = loupe.crops(truth, methods, [(10, 20, 48, 32)], metric=["mse", "psnr", "relmse"])
    assert figure.json["regions"] == [[10, 20, 48, 32]]
    for one, (title, picture) in zip(figure.json["methods"], methods.items()):
        assert one["title"] == title
        for region, part in [(None, np.s_[:, :]), (0, np.s_[20:52, 10:58])]:
            r, a = truth[part] / 255, picture[part] / 255
            mse = float(np.mean((a - r) ** 2))
            wanted = {"mse": mse, "psnr": -10 * np.log10(mse), "relmse": float(np.mean((a - r) ** 2 / (r**2 + 0.01)))}
            for name, value in wanted.items():
                found = one["numbers"][name]["whole" if region is None else "regions"]
                assert (found if region is None else found[region]) == pytest.approx(value, abs=1e-9)


def test_numbers_of_floats_are_those_of_numpy() -> None:
    chance = np.random.default_rng(7)
    truth = chance.gamma(0.5, 2, (60, 80, 3)).astype(np.float32)
    method = truth * chance.normal(1, 0.1, truth.shape).astype(np.float32)
    figure = loupe.crops(truth, {"Ours": method}, [(8, 9, 40, 32)], metric=["mse", "psnr", "relmse", "flip", "channel"])
    brighter = loupe.crops(truth, {"Ours": method}, [(8, 9, 40, 32)], metric=["mse", "flip", "channel"], exposure=-3)
    numbers = figure.json["methods"][0]["numbers"]
    for region, part in (("whole", np.s_[:, :]), ("regions", np.s_[9:41, 8:48])):
        r, a = truth[part].astype(float), method[part].astype(float)
        mse = float(np.mean((a - r) ** 2))
        wanted = {"mse": mse, "psnr": -10 * np.log10(mse), "relmse": float(np.mean((a - r) ** 2 / (r**2 + 0.01)))}
        for name, value in wanted.items():
            found = numbers[name][region]
            assert (found if region == "whole" else found[0]) == pytest.approx(value, rel=1e-6)

    def shown(light: NDArray[np.float32], exposure: int) -> NDArray[np.float64]:
        linear = np.clip(light * 2.0**exposure, 0, 1).astype(float)
        encoded: NDArray[np.float64] = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
        return np.round(255 * encoded)

    for made, exposure in ((figure, 0), (brighter, -3)):
        found = made.json["methods"][0]["numbers"]
        assert found["channel"]["whole"] == np.abs(shown(truth, exposure) - shown(method, exposure)).max()
        assert found["flip"] == numbers["flip"] and 0 < found["flip"]["whole"] < 1
    grey = loupe.crops(truth[..., 0], [truth[..., :1] + 1], metric="mse", regions=1)
    assert grey.json["methods"][0]["numbers"]["mse"]["whole"] == pytest.approx(1, rel=1e-6)
    with pytest.raises(loupe.UsageError, match="floats of 60 × 80 × 2"):
        loupe.crops(truth[..., :2], [truth])
    with pytest.raises(loupe.InputError, match="no EXR or PFM"):
        loupe.crops(truth, {"Bytes": truth.astype(np.uint8)})
    with pytest.raises(loupe.InputError, match="at 3,2 is infinite or not a number"):
        loupe.crops(truth, {"Broken": _broken(truth)})


def _broken(light: NDArray[np.float32]) -> NDArray[np.float32]:
    broken = light.copy()
    broken[2, 3, 1] = np.inf
    return broken


def test_a_figure_is_saved_in_every_format(truth: NDArray[np.uint8], tmp_path: pathlib.Path) -> None:
    for name in ("ref", "one"):
        Image.fromarray(truth).save(tmp_path / f"{name}.png")
    figure = loupe.crops(tmp_path / "ref.png", [tmp_path / "one.png"], 1, metric="channel", zoom=4)
    assert figure.scene["labels"][1]["text"] == "one"
    assert figure.scene["layers"][0]["image"] == str(tmp_path / "ref.png")
    assert figure.alt and "Reference" in figure.alt
    for suffix, start in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml"), ("html", b"<!DOCTYPE html>")):
        figure.save(tmp_path / f"figure.{suffix}")
        assert (tmp_path / f"figure.{suffix}").read_bytes().startswith(start)
    assert loupe.render(figure).width == figure.width
    split = loupe.crops(tmp_path / "ref.png", [tmp_path / "one.png"], 1, metric="channel", split="Reference").scene
    # The half that is the reference's, and the line where both meet.
    assert len(split["layers"]) == len(figure.scene["layers"]) + 2
    (tmp_path / "drawn.json").write_text(json.dumps(loupe.render(tmp_path / "ref.png", callout="20,20@40,30", radius=12, zoom=4).scene))
    drawn = loupe.crops(tmp_path / "ref.png", [tmp_path / "one.png"], tmp_path / "drawn.json", metric="channel")
    assert drawn.json["regions"] == [[17, 17, 6, 6]]


def test_wrong_pictures_are_told(truth: NDArray[np.uint8]) -> None:
    with pytest.raises(loupe.InputError, match=r"'Small' has 60x45 pixels|'Small' has 60×45 pixels"):
        loupe.crops(truth, {"Small": truth[::2, ::2]})
    with pytest.raises(loupe.InputError, match="reaches beyond the pictures"):
        loupe.crops(truth, {"Same": truth}, [(100, 0, 48, 32)])
    with pytest.raises(loupe.UsageError, match="comma"):
        loupe.crops(truth, {"a,b": truth})
    with pytest.raises(loupe.UsageError, match="there is none"):
        loupe.crops(truth, [])
