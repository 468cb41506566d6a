// Package blender lets a model inspect and change the scene of a running Blender.
//
// In Blender, the add-on BlenderMCP (github.com/ahujasid/blender-mcp) listens on a TCP port. Each
// request and each reply is one JSON object. The add-on keeps the connection open, so the client
// reads exactly one value. The add-on has the commands get_scene_info, get_object_info,
// get_viewport_screenshot and execute_code. Tools for which the add-on has no command send a Python
// program with execute_code. The program gets its arguments as one JSON document in a string
// literal, so an argument cannot become code.
//
// The user's environment variables BLENDER_MCP_HOST and BLENDER_MCP_PORT set the address. The
// package contacts no other address.
package blender
