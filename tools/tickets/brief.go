package tickets

import (
	"marvin/tools"
)

// Brief returns a ticket's text and the IDs of the ticket's unfinished dependencies.
func Brief(env tools.Env, id string) (text string, blockers []string, err error) {
	dir, err := open(env, false)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = dir.Close() }()
	t, err := dir.find(id)
	if err != nil {
		return "", nil, err
	}
	text, err = dir.read(t.file)
	return text, dir.unfinished(t), err
}
