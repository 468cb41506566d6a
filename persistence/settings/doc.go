// Package settings reads config.yaml and changes single settings in it.
//
// A setting that restricts Marvin and cannot be read ends the start. The servers, hooks, models
// and themes of the user are settings too.
package settings
