package blender

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"marvin/tools"
)

// prelude returns Python code that assigns a program's arguments to the variable args. No other
// function puts values into Python code. A JSON string literal is also a valid Python literal.
func prelude(args any) (string, error) {
	encoded, err := json.Marshal(args)
	if err != nil {
		return "", err
	}
	literal, err := json.Marshal(string(encoded))
	return "import bpy, json\nargs = json.loads(" + string(literal) + ")\n", err
}

const findObject = `thing = bpy.data.objects.get(args["name"])
if thing is None:
    raise ValueError("there is no object %r; the objects are: %s" % (args["name"], ", ".join(sorted(o.name for o in bpy.data.objects)[:30])))
`

const moveObject = `if args.get("location") is not None:
    thing.location = args["location"]
if args.get("rotation") is not None:
    thing.rotation_mode = "XYZ"
    thing.rotation_euler = args["rotation"]
if args.get("scale") is not None:
    thing.scale = args["scale"]
`

const report = `print(json.dumps({"name": thing.name, "type": thing.type, "location": list(thing.location),
    "rotation": list(thing.rotation_euler), "scale": list(thing.scale)}))
`

// createObject sets the size after adding the primitive, because some versions of Blender ignore
// the size in the operator's arguments.
const createObject = `makers = {"cube": "cube", "sphere": "uv_sphere", "uv_sphere": "uv_sphere", "ico_sphere": "ico_sphere",
    "cylinder": "cylinder", "cone": "cone", "torus": "torus", "plane": "plane"}
if bpy.context.mode != "OBJECT":
    bpy.ops.object.mode_set(mode="OBJECT")
getattr(bpy.ops.mesh, "primitive_%s_add" % makers[args["kind"]])()
thing = bpy.context.view_layer.objects.active
if args["name"]:
    thing.name = args["name"]
` + moveObject + report

const modify = findObject + moveObject + report

const remove = findObject + `bpy.data.objects.remove(thing, do_unlink=True)
print(json.dumps({"deleted": args["name"]}))
`

// paint gives the object a material and sets the material's color. The solid viewport shows
// diffuse_color instead of the color in the nodes.
const paint = findObject + `if not hasattr(thing.data, "materials"):
    raise ValueError("a %s has no materials" % thing.type)
title = args["material"] or thing.name + " material"
material = bpy.data.materials.get(title) or bpy.data.materials.new(name=title)
material.use_nodes = True
material.diffuse_color = args["color"]
for node in material.node_tree.nodes:
    if node.type == "BSDF_PRINCIPLED":
        node.inputs["Base Color"].default_value = args["color"]
        node.inputs["Alpha"].default_value = args["color"][3]
if len(thing.data.materials) == 0:
    thing.data.materials.append(material)
else:
    thing.data.materials[0] = material
print(json.dumps({"object": thing.name, "material": material.name, "color": args["color"]}))
`

// run executes a program and returns the JSON in the last line of the output. If that line is not
// JSON, the result is a note about Blender's old add-on.
func run(ctx context.Context, env tools.Env, program string, args any) (tools.Output, error) {
	head, err := prelude(args)
	if err != nil {
		return tools.Output{}, err
	}
	printed, err := execute(ctx, env, head+program)
	if err != nil {
		return tools.Output{}, err
	}
	printed = strings.TrimSpace(printed) // Blender itself prints lines before the result
	last := printed[strings.LastIndexByte(printed, '\n')+1:]
	if !json.Valid([]byte(last)) {
		return tools.Output{Text: "Blender made the change, but its old add-on reported no details; check with blender_get_scene."}, nil
	}
	return tools.Output{Text: pretty(json.RawMessage(last))}, nil
}

// execute sends Python code to Blender and returns what the code prints. Add-ons from before June
// 2025 return no output.
func execute(ctx context.Context, env tools.Env, code string) (string, error) {
	answer, err := ask(ctx, env.Environ, "execute_code", map[string]string{"code": code})
	if err != nil {
		return "", err
	}
	var result struct {
		Executed bool   `json:"executed"`
		Result   string `json:"result"`
	}
	if err := json.Unmarshal(answer, &result); err != nil || !result.Executed {
		return "", fmt.Errorf("Blender did not report whether the code ran: %.300s", answer)
	}
	return result.Result, nil
}
