package acphost

import (
	"fmt"
	"slices"
	"strings"

	"marvin/ui/acp"
)

// Rules returns permission rules for the additional directories that are open in an editor. The
// rules allow tools to change the working directory to these directories and to directories below
// them.
func Rules(dirs []string) (rules []string, err error) {
	for _, dir := range dirs {
		if strings.ContainsAny(dir, "()*?[]{}\\\n") {
			return nil, fmt.Errorf("%w: the additional directory %q has characters that a permission rule cannot contain", acp.ErrWrong, dir)
		}
		rules = append(rules, "set_working_dir("+dir+")", "set_working_dir("+strings.TrimSuffix(dir, "/")+"/**)")
	}
	return rules, nil
}

// CommandDirs selects the additional directories in which a command may work. The sandbox confines such
// a command to its directory. A directory inside another one of the list is omitted. A directory
// that contains the working directory is omitted, too: a command there could replace the working
// directory with a link.
func CommandDirs(dir string, more []string) (opened []string) {
	for _, one := range more {
		within := slices.IndexFunc(more, func(other string) bool { return strings.HasPrefix(one, other+"/") })
		if !strings.HasPrefix(dir, strings.TrimSuffix(one, "/")+"/") && within < 0 {
			opened = append(opened, one)
		}
	}
	return opened
}

// DirectoriesNote returns the text that tells the model about these directories, or "" if there are
// none.
func DirectoriesNote(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	return "The user's editor has these directories open too. set_working_dir can move to each of them, and run_command and launch_agent accept each as their directory:\n- " + strings.Join(dirs, "\n- ")
}
