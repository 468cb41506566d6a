package blender

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/tools"
)

// timeout is the time limit for a call. The connection times out earlier, with a specific error.
const timeout = dialTimeout + readTimeout + time.Second

// Tools returns the Blender tools. Their calls run one at a time, because Blender handles one
// command at a time.
func Tools() []tools.Tool {
	return []tools.Tool{sceneTool(), objectTool(), createTool(), modifyTool(), deleteTool(), materialTool(), codeTool(), screenshotTool()}
}

func sceneTool() tools.Tool {
	return tools.New(tools.Def[struct{}]{
		Name: "blender_get_scene", Doc: "Describe the scene in Blender: its name, objects and materials.",
		Examples: []string{"what is in my blender scene", "describe the scene in blender"},
		Pool:     tools.Net, Service: "Blender on this machine", Brings: tools.Private, Timeout: timeout,
		Run: func(ctx context.Context, env tools.Env, _ struct{}) (tools.Output, error) {
			answer, err := ask(ctx, env.Environ, "get_scene_info", nil)
			return tools.Output{Text: pretty(answer)}, err
		},
	})
}

type objectArgs struct {
	Name string `json:"object_name" doc:"Name of the object" alias:"name,object" example:"Cube"`
}

func objectTool() tools.Tool {
	return tools.New(tools.Def[objectArgs]{
		Name: "blender_get_object", Doc: "Describe an object in Blender: position, mesh, materials.",
		Examples: []string{"describe the blender object {Cube|object_name}", "where is the {Cube|object_name} in blender"},
		Pool:     tools.Net, Service: "Blender on this machine", Brings: tools.Private, Timeout: timeout,
		Run: func(ctx context.Context, env tools.Env, in objectArgs) (tools.Output, error) {
			answer, err := ask(ctx, env.Environ, "get_object_info", map[string]string{"name": in.Name})
			return tools.Output{Text: pretty(answer)}, err
		},
	})
}

type createArgs struct {
	Kind     string    `json:"object_type" doc:"Shape" enum:"cube,sphere,cylinder,cone,torus,plane,uv_sphere,ico_sphere" alias:"type,primitive" example:"cube"`
	Name     string    `json:"name" doc:"Name for the new object" default:"" alias:"object_name"`
	Location []float64 `json:"location" doc:"x, y, z" default:"[0,0,0]" alias:"position"`
	Scale    []float64 `json:"scale" doc:"x, y, z" default:"[1,1,1]"`
	Rotation []float64 `json:"rotation" doc:"x, y, z in radians" default:"[0,0,0]"`
}

func createTool() tools.Tool {
	return tools.New(tools.Def[createArgs]{
		Name: "blender_create_object", Doc: "Add a primitive to the scene in Blender.",
		Effect:   tools.Writes,
		Examples: []string{"add a {cube|object_type} in blender", "create a blender {sphere|object_type} named {Moon|name}"},
		Pool:     tools.Net, Service: "Blender on this machine", Brings: tools.Private, Timeout: timeout,
		Run: func(ctx context.Context, env tools.Env, in createArgs) (tools.Output, error) {
			if err := vectors(in.Location, in.Rotation, in.Scale); err != nil {
				return tools.Output{}, err
			}
			output, err := run(ctx, env, createObject, map[string]any{"kind": in.Kind, "name": in.Name, "location": in.Location, "scale": in.Scale, "rotation": in.Rotation})
			output.Undo = inverseOfCreation(output.Text)
			return output, err
		},
	})
}

type modifyArgs struct {
	Name     string    `json:"object_name" doc:"Name of the object" alias:"name,object" example:"Cube"`
	Location []float64 `json:"location,omitempty" doc:"New x, y, z" alias:"position"`
	Scale    []float64 `json:"scale,omitempty" doc:"New x, y, z"`
	Rotation []float64 `json:"rotation,omitempty" doc:"New x, y, z in radians"`
}

func modifyTool() tools.Tool {
	return tools.New(tools.Def[modifyArgs]{
		Name: "blender_modify_object", Doc: "Move, rotate or scale a Blender object.",
		Effect:   tools.Writes,
		Examples: []string{"move the {Cube|object_name} in blender to {[1,2,3]|location}", "scale the blender object {Cube|object_name} to {[2,2,2]|scale}"},
		Pool:     tools.Net, Service: "Blender on this machine", Brings: tools.Private, Timeout: timeout,
		Run: func(ctx context.Context, env tools.Env, in modifyArgs) (tools.Output, error) {
			if len(in.Location)+len(in.Scale)+len(in.Rotation) == 0 {
				return tools.Output{}, tools.Advise(errors.New("the call does not say what to change"), "Give location, scale or rotation.")
			}
			if err := vectors(in.Location, in.Rotation, in.Scale); err != nil {
				return tools.Output{}, err
			}
			undo := placementUndo(ctx, env, in)
			output, err := run(ctx, env, modify, map[string]any{"name": in.Name, "location": in.Location, "scale": in.Scale, "rotation": in.Rotation})
			output.Undo = undo
			return output, err
		},
	})
}

// vectors returns an error if a given vector does not have three numbers.
func vectors(location, rotation, scale []float64) error {
	for i, vector := range [][]float64{location, rotation, scale} {
		if len(vector) != 0 && len(vector) != 3 {
			return tools.Advise(fmt.Errorf("%s has %d numbers", [...]string{"location", "rotation", "scale"}[i], len(vector)), "Give three: [x, y, z].")
		}
	}
	return nil
}

func deleteTool() tools.Tool {
	return tools.New(tools.Def[objectArgs]{
		Name: "blender_delete_object", Doc: "Delete an object from the scene in Blender.",
		Effect:   tools.Irreversible,
		Examples: []string{"delete the {Cube|object_name} in blender", "remove the blender object {Cube|object_name}"},
		Pool:     tools.Net, Service: "Blender on this machine", Brings: tools.Private, Timeout: timeout,
		Run: func(ctx context.Context, env tools.Env, in objectArgs) (tools.Output, error) {
			return run(ctx, env, remove, map[string]any{"name": in.Name})
		},
	})
}

type materialArgs struct {
	Name     string    `json:"object_name" doc:"Name of the object" alias:"name,object" example:"Cube"`
	Material string    `json:"material_name" doc:"Material to use or create; the default is a new material" default:"" alias:"material"`
	Color    []float64 `json:"color" doc:"Red, green, blue, alpha, each 0 to 1" default:"[0.8,0.8,0.8,1]" alias:"colour,rgba"`
}

func materialTool() tools.Tool {
	return tools.New(tools.Def[materialArgs]{
		Name: "blender_set_material", Doc: "Give a Blender object a single-color material.",
		Effect:   tools.Writes,
		Examples: []string{"colour the {Cube|object_name} in blender {[1,0,0,1]|color}", "give the blender object {Cube|object_name} the material {Gold|material_name}"},
		Pool:     tools.Net, Service: "Blender on this machine", Brings: tools.Private, Timeout: timeout,
		Run: func(ctx context.Context, env tools.Env, in materialArgs) (tools.Output, error) {
			color := in.Color
			if len(color) == 3 {
				color = append(color, 1)
			}
			if len(color) != 4 {
				return tools.Output{}, tools.Advise(fmt.Errorf("color has %d numbers", len(color)), "Give four numbers from 0 to 1: [red, green, blue, alpha].")
			}
			for i := range color {
				color[i] = min(max(color[i], 0), 1)
			}
			return run(ctx, env, paint, map[string]any{"name": in.Name, "material": in.Material, "color": color})
		},
	})
}

type codeArgs struct {
	Code string `json:"code" doc:"Python code; bpy is available. Returns what the code prints" alias:"script,python" example:"print(bpy.app.version_string)"`
}

func codeTool() tools.Tool {
	return tools.New(tools.Def[codeArgs]{
		Name: "blender_execute_code", Doc: "Run Python inside Blender, for anything the other blender tools cannot do.",
		Effect:   tools.Irreversible,
		Examples: []string{"run {print(bpy.app.version_string)|code} in blender", "execute the python {bpy.ops.render.render()|code} in blender"},
		Pool:     tools.Net, Service: "Blender on this machine", Brings: tools.Private, Timeout: timeout,
		Confirm: func(env tools.Env, in codeArgs) (title, detail string) {
			return "Run this Python in Blender?", tools.Visible(in.Code) + "\nat " + tools.Visible(address(env.Environ))
		},
		Run: func(ctx context.Context, env tools.Env, in codeArgs) (tools.Output, error) {
			if strings.TrimSpace(in.Code) == "" {
				return tools.Output{}, errors.New("the code is empty")
			}
			printed, err := execute(ctx, env, in.Code)
			if err != nil {
				return tools.Output{}, err
			}
			if strings.TrimSpace(printed) == "" {
				printed = "The code ran and printed nothing."
			}
			return tools.Output{Text: tools.Visible(printed)}, nil
		},
	})
}

type screenshotArgs struct {
	MaxSize int `json:"max_size" doc:"Longest side in pixels" default:"512" min:"64" max:"4096" alias:"size"`
}

func screenshotTool() tools.Tool {
	return tools.New(tools.Def[screenshotArgs]{
		Name: "blender_screenshot", Doc: "Save a picture of Blender's 3D view as a file for the user. You cannot see the picture.",
		Examples: []string{"take a screenshot of blender", "save the blender view with {800|max_size} pixels"},
		Pool:     tools.Net, Service: "Blender on this machine", Brings: tools.Private, Timeout: timeout,
		Run: screenshot,
	})
}

// screenshot makes Blender write the picture to a file with a random name, because other users can
// write to the temporary directory.
func screenshot(ctx context.Context, env tools.Env, in screenshotArgs) (tools.Output, error) {
	path := filepath.Join(os.TempDir(), "marvin-blender-"+rand.Text()[:12]+".png")
	answer, err := ask(ctx, env.Environ, "get_viewport_screenshot", map[string]any{"max_size": in.MaxSize, "filepath": path, "format": "png"})
	if err != nil {
		return tools.Output{}, err
	}
	var picture struct{ Width, Height int }
	if err := json.Unmarshal(answer, &picture); err != nil {
		return tools.Output{}, fmt.Errorf("Blender returned this instead of a picture: %.300s", tools.Visible(string(answer)))
	}
	where := ""
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		where = " on the machine that Blender runs on"
	}
	return tools.Output{Text: fmt.Sprintf("Saved the 3D view, %d×%d pixels, as %s%s.", picture.Width, picture.Height, path, where)}, nil
}
