package acphost

import (
	"fmt"
	"slices"
	"strings"

	"marvin/ui/acp"
)

// Rules let tools work in the directories that an editor has open beside the working
// directory, and below them.
func Rules(dirs []string) (rules []string, err error) {
	for _, dir := range dirs {
		if strings.ContainsAny(dir, "()*?[]{}\\\n") {
			return nil, fmt.Errorf("%w: the additional directory %q has characters that a permission rule cannot name", acp.ErrWrong, dir)
		}
		rules = append(rules, "set_working_dir("+dir+")", "set_working_dir("+strings.TrimSuffix(dir, "/")+"/**)")
	}
	return rules, nil
}

// Opened are the directories to which a command that works in them is held. One in another one is
// left out, and so is one that contains the working directory: a command there could replace a
// directory below it by a link.
func Opened(dir string, more []string) (opened []string) {
	for _, one := range more {
		within := slices.IndexFunc(more, func(other string) bool { return strings.HasPrefix(one, other+"/") })
		if !strings.HasPrefix(dir, strings.TrimSuffix(one, "/")+"/") && within < 0 {
			opened = append(opened, one)
		}
	}
	return opened
}

// DirectoriesNote is what the model reads about these directories; "" for none.
func DirectoriesNote(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	return "The user's editor has these directories open too. set_working_dir moves there, and run_command and launch_agent take one as their directory:\n- " + strings.Join(dirs, "\n- ")
}
