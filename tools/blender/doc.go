// Package blender lets a model look at and change the scene of a running Blender.
//
// Blender runs the add-on of github.com/ahujasid/blender-mcp, which listens on a TCP
// port: one JSON object asks, one answers, and the connection stays open, so exactly
// one value is read. The add-on knows get_scene_info, get_object_info,
// get_viewport_screenshot and execute_code; what else there is here is a Python
// program for execute_code. Values reach those programs only as one JSON document in a
// string literal, so no name can become code.
//
// The address comes from the user's own settings (BLENDER_MCP_HOST, BLENDER_MCP_PORT)
// and is the only one that is ever dialled.
package blender
