package copilot_test

import (
	"path/filepath"
	"runtime"
)

// nativeName is the path of the native program below @github, where npm installs it.
func nativeName() string {
	platform, architecture := runtime.GOOS, runtime.GOARCH
	if architecture == "amd64" {
		architecture = "x64"
	}
	return filepath.Join("copilot-"+platform+"-"+architecture, "copilot")
}
