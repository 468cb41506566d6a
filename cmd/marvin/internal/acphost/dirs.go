package acphost

import (
	"fmt"
	"slices"
	"strings"

	"marvin/ui/acp"
)

// Rules returns permission rules for the additional directories that are open in an editor. The
// rules allow set_working_dir to select any of these directories, and any directory below them.
func Rules(dirs []string) (rules []string, err error) {
	for _, dir := range dirs {
		if strings.ContainsAny(dir, "()*?[]{}\\\n") {
			return nil, fmt.Errorf("%w: the additional directory %q has characters that a permission rule cannot contain", acp.ErrWrong, dir)
		}
		rules = append(rules, "set_working_dir("+dir+")", "set_working_dir("+strings.TrimSuffix(dir, "/")+"/**)")
	}
	return rules, nil
}

// CommandDirs returns the extra directories to which the sandbox can confine a command. A command
// in an outer directory could replace an inner directory with a link. CommandDirs therefore omits
// subdirectories of other extra directories, and parents of the working directory.
func CommandDirs(dir string, extraDirs []string) (opened []string) {
	for _, one := range extraDirs {
		within := slices.IndexFunc(extraDirs, func(other string) bool { return strings.HasPrefix(one, other+"/") })
		if !strings.HasPrefix(dir, strings.TrimSuffix(one, "/")+"/") && within < 0 {
			opened = append(opened, one)
		}
	}
	return opened
}

// DirectoriesNote returns the text that tells the model about dirs, or "" if dirs is empty.
func DirectoriesNote(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	return "The user's editor has these directories open too. set_working_dir can move to any of them, and run_command and launch_agent can work in any of them:\n- " + strings.Join(dirs, "\n- ")
}
