package skills

import (
	"errors"
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestSkillTools(t *testing.T) {
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		if tool == "begin" {
			env.Skill = func(name, file string) (string, error) {
				if name == "gone" {
					return "", errors.New("there is no skill gone")
				}
				return "name " + name + ", file " + file, nil
			}
			return "", nil
		}
		return toolstest.Call(t, Tools(), env, tool, args)
	})
}
