package blender

import (
	"context"
	"encoding/json"

	"marvin/tools"
)

// inverseOfCreation returns the call that deletes a new object. The report from Blender contains
// the object's name.
func inverseOfCreation(report string) *tools.Inverse {
	var is struct {
		Name string `json:"name"`
	}
	if json.Unmarshal([]byte(report), &is) != nil || is.Name == "" {
		return tools.CannotUndo("Blender did not report the name of the object")
	}
	return tools.UndoneBy("blender_delete_object", objectArgs{Name: is.Name})
}

// placementUndo returns the call that undoes a change of an object's location, scale or rotation.
// It asks Blender for the current values, so it must run before the change.
func placementUndo(ctx context.Context, env tools.Env, in modifyArgs) *tools.Inverse {
	var is modifyArgs
	answer, err := ask(ctx, env.Environ, "get_object_info", map[string]string{"name": in.Name})
	if err == nil {
		err = json.Unmarshal(answer, &is)
	}
	if err != nil || len(is.Location) != 3 || len(is.Scale) != 3 || len(is.Rotation) != 3 {
		return tools.CannotUndo("Blender did not report where the object was")
	}
	back := modifyArgs{Name: in.Name}
	if in.Location != nil {
		back.Location = is.Location
	}
	if in.Scale != nil {
		back.Scale = is.Scale
	}
	if in.Rotation != nil {
		back.Rotation = is.Rotation
	}
	return tools.UndoneBy("blender_modify_object", back)
}
