"""What a user of the official Python SDK does, printed as one JSON line; standalone's address is in COMFY_BASE_URL."""

import asyncio
import json
import sys
import tempfile
import uuid
from pathlib import Path

from comfy_sdk import AsyncComfy, Comfy


def load(picture_node):
    return {
        "10": {"class_type": "LoadImage", "inputs": {"image": picture_node}},
        "11": {"class_type": "ImageInvert", "inputs": {"image": ["10", 0]}},
        "12": {"class_type": "SaveImage", "inputs": {"images": ["11", 0], "filename_prefix": "python"}},
    }


def text(value):
    return {
        "1": {"class_type": "PrimitiveString", "inputs": {"value": value}},
        "2": {"class_type": "PreviewAny", "inputs": {"source": ["1", 0]}},
    }


def kind(event):
    return type(event).__name__


def synchronous(picture):
    found = {}
    with tempfile.TemporaryDirectory() as folder, Comfy() as comfy:
        path = Path(folder) / "photo.png"
        path.write_bytes(picture)
        asset = comfy.assets.from_file(path)
        workflow = comfy.workflows.from_json(load("placeholder"))
        workflow.set_input("10", "image", asset)
        job = comfy.submit(workflow, metadata={"client": "python"})
        found["created_new"] = asset.created_new
        events = list(job.events())
        found["events"] = [kind(event) for event in events]
        found["last_status"] = events[-1].status
        job.result()
        found["status"] = job.status
        output = job.get_outputs("12")[0]
        target = output.to_file(Path(folder) / "out.png")
        content = target.read_bytes()
        found["sizes_agree"] = len(content) == output.size_bytes
        found["is_png"] = content[1:4] == b"PNG"
        found["range"] = output.to_bytes(range=(1, 3)).decode()
        found["workflow_format"] = job.get_workflow().format
        found["metadata"] = job.metadata
        again = comfy.assets.from_bytes(picture, filename="again.png")
        again.commit()
        found["deduplicated"] = again.created_new is False
        again.delete()
        listed = list(comfy.list_jobs(metadata={"client": "python"}, limit=1))
        found["listed"] = [summary.id for summary in listed] == [job.id]
        found["listed_times"] = all(summary.create_time and summary.update_time for summary in listed)
        key = str(uuid.uuid4())
        comfy.submit(comfy.workflows.from_json(text("key")), idempotency_key=key).wait()
        try:
            comfy.submit(comfy.workflows.from_json(text("key")), idempotency_key=key)
        except Exception as error:  # the SDK's own exception, told by its code
            found["reuse"] = getattr(error, "code", repr(error))
        try:
            comfy.submit(comfy.workflows.from_json({"1": {"class_type": "Nope", "inputs": {}}}))
        except Exception as error:
            found["refused"] = getattr(error, "code", repr(error))
        try:
            comfy.jobs.get(str(uuid.uuid4()))
        except Exception as error:
            found["unknown"] = getattr(error, "code", repr(error))
        sleeping = text("sleeping")
        sleeping["3"] = {"class_type": "HeddleTestSleep", "inputs": {"seconds": 60, "value": ["1", 0]}}
        running = comfy.submit(comfy.workflows.from_json(sleeping))
        for event in running.events():
            if kind(event) == "StatusChange" and event.status == "running":
                break
        running.cancel()
        found["canceled"] = running.wait(timeout=60).status
    return found


async def asynchronous(picture):
    found = {}
    async with AsyncComfy() as comfy:
        workflow = comfy.workflows.from_json(load("placeholder"))
        workflow.set_input("10", "image", comfy.assets.from_bytes(picture, filename="async.png"))
        job = await comfy.submit(workflow)
        found["events"] = [kind(event) async for event in job.events()]
        await job.result()
        found["status"] = job.status
        found["bytes"] = len(await job.outputs[0].to_bytes()) == job.outputs[0].size_bytes
    return found


def main():
    picture = Path(sys.argv[1]).read_bytes()
    print(json.dumps({"sync": synchronous(picture), "async": asyncio.run(asynchronous(picture + b"\0"))}))


main()
