package settings

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// Language is one entry of the section "languages" in config.yaml. It defines a new language server
// or changes the built-in server with the same name.
type Language struct {
	Command  []string
	Files    []string       // patterns of file names, such as *.x
	Roots    []string       // files that mark the root of a project, the most important first
	Settings map[string]any // answers to the server's configuration requests
	Off      bool
	Free     bool // the server runs without the sandbox
}

// LanguageServers holds the settings for language servers.
type LanguageServers struct {
	Languages     map[string]Language // by name
	FormatOnWrite bool                // whether language servers format the files that a model writes
}

// languagesFile is the part of the file that configures language servers.
type languagesFile struct {
	Named         map[string]*languageFile `yaml:"languages"`
	FormatOnWrite bool                     `yaml:"format_on_write"`
}

func languageServers(path string, file languagesFile) (LanguageServers, error) {
	all, err := languages(path, file.Named)
	return LanguageServers{Languages: all, FormatOnWrite: file.FormatOnWrite}, err
}

type languageFile struct {
	Command  commandLine    `yaml:"command"`
	Files    []string       `yaml:"files"`
	Roots    []string       `yaml:"roots"`
	Settings map[string]any `yaml:"settings"`
	Enabled  *bool          `yaml:"enabled"`
	Sandbox  onOff          `yaml:"sandbox"`
}

func languages(path string, files map[string]*languageFile) (map[string]Language, error) {
	if len(files) == 0 {
		return nil, nil
	}
	all := make(map[string]Language, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !serverName().MatchString(name) {
			return nil, fmt.Errorf("%s: languages: %q is not a name for a server; use at most 40 letters, digits, - and _", path, name)
		}
		file := cmp.Or(files[name], &languageFile{})
		for _, pattern := range append(slices.Clone(file.Files), file.Roots...) {
			if _, err := filepath.Match(pattern, "x"); err != nil || pattern == "" || filepath.Base(pattern) != pattern {
				return nil, fmt.Errorf("%s: languages: %s: %q is not a file name pattern such as *.x; correct the entry or remove it", path, name, pattern)
			}
		}
		all[name] = Language{
			Command: file.Command, Files: file.Files, Roots: file.Roots, Settings: file.Settings,
			Off: file.Enabled != nil && !*file.Enabled, Free: file.Sandbox == "off" || file.Sandbox == "false",
		}
	}
	return all, nil
}
