"""A scene without Blender, behind the protocol of its MCP add-on.

It runs the very programs that Marvin sends, in a Python of its own, against as much
of bpy as they use. The protocol (one JSON value each way, the connection stays open,
stdout of execute_code is its result) is that of addon.py in github.com/ahujasid/blender-mcp.
"""
import contextlib, io, json, socket, sys, types


class Bag(dict):
    """bpy.data.objects and bpy.data.materials: a mapping that iterates over values."""
    def __iter__(self): return iter(list(self.values()))
    def new(self, name): self[name] = Material(name); return self[name]
    def remove(self, thing, do_unlink): del self[thing.name]


class Material:
    def __init__(self, name):
        self.name, self.diffuse_color = name, None
        sockets = {"Base Color": types.SimpleNamespace(), "Alpha": types.SimpleNamespace()}
        self.node_tree = types.SimpleNamespace(nodes=[types.SimpleNamespace(type="BSDF_PRINCIPLED", inputs=sockets)])


class Thing:
    def __init__(self, name, kind="MESH"):
        self._name, self.type = name, kind
        self.location, self.rotation_euler, self.scale = [0.0] * 3, [0.0] * 3, [1.0] * 3
        self.data = types.SimpleNamespace(materials=[]) if kind == "MESH" else types.SimpleNamespace()

    @property
    def name(self): return self._name

    @name.setter
    def name(self, name):
        del objects[self._name]
        self._name = name
        objects[name] = self


class Makers:
    def __getattr__(self, operator):
        title = operator.removeprefix("primitive_").removesuffix("_add").title()
        if title not in ("Cube", "Uv_Sphere", "Ico_Sphere", "Cylinder", "Cone", "Torus", "Plane"):
            raise AttributeError(operator)
        def make():
            objects[title] = bpy.context.view_layer.objects.active = Thing(title)
        return make


objects, materials = Bag(), Bag()
objects["Cube"], objects["Lamp"] = Thing("Cube"), Thing("Lamp", "LIGHT")
bpy = types.ModuleType("bpy")
bpy.data = types.SimpleNamespace(objects=objects, materials=materials)
bpy.context = types.SimpleNamespace(mode="OBJECT", view_layer=types.SimpleNamespace(objects=types.SimpleNamespace(active=None)))
bpy.ops = types.SimpleNamespace(mesh=Makers())
sys.modules["bpy"] = bpy


def execute_code(code):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        print("Info: something of Blender's own")
        try:
            exec(code, {"bpy": bpy})
        except Exception as error:
            raise Exception(f"Code execution error: {error}")
    return {"executed": True, "result": printed.getvalue()}


def get_object_info(name):
    thing = objects.get(name)
    if not thing:
        raise ValueError(f"Object not found: {name}")
    return {"name": thing.name, "type": thing.type, "location": thing.location,
            "rotation": list(thing.rotation_euler), "scale": list(thing.scale),
            "materials": [m.name for m in getattr(thing.data, "materials", [])]}


def get_viewport_screenshot(max_size=800, filepath=None, format="png"):
    if max_size == 64:
        return {"error": "No 3D viewport found"}  # with status success, as the add-on has it
    with open(filepath, "wb") as picture:
        picture.write(b"\x89PNG")
    return {"success": True, "width": max_size, "height": max_size // 2, "filepath": filepath}


def get_scene_info():
    return {"name": "Scene", "object_count": len(objects), "objects": [{"name": o.name, "type": o.type} for o in objects], "materials_count": len(materials)}


handlers = {f.__name__: f for f in (get_scene_info, get_object_info, get_viewport_screenshot, execute_code)}
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
open_ones = []
while True:
    client, _ = listener.accept()
    open_ones.append(client)  # never closed
    received = b""
    while True:
        piece = client.recv(8192)
        if not piece:
            break
        received += piece
        try:
            command = json.loads(received)
        except ValueError:
            continue
        try:
            answer = {"status": "success", "result": handlers[command["type"]](**command["params"])}
        except Exception as error:
            answer = {"status": "error", "message": str(error)}
        client.sendall(json.dumps(answer).encode())
        break
