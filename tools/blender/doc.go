// Package blender lets a model inspect and change the scene of a running Blender.
//
// Blender runs the add-on of github.com/ahujasid/blender-mcp, which listens on a TCP port. A
// request is one JSON object, and so is the reply. The add-on keeps the connection open, so the
// client reads exactly one value. The add-on has the commands get_scene_info, get_object_info,
// get_viewport_screenshot and execute_code. A tool without a command of its own sends a Python
// program with execute_code. The program gets its arguments as one JSON document in a string
// literal, so an argument cannot become code.
//
// The address comes from the user's environment (BLENDER_MCP_HOST, BLENDER_MCP_PORT). The package
// contacts no other address.
package blender
