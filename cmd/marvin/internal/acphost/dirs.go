package acphost

import (
	"fmt"
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

// DirectoriesNote is what the model reads about these directories; "" for none.
func DirectoriesNote(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	return "The user's editor has these directories open too. set_working_dir moves there, and run_command and launch_agent take one as their directory:\n- " + strings.Join(dirs, "\n- ")
}
