package extensions

import (
	"errors"
	"fmt"
	"sync"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence"
	"marvin/persistence/settings"
	written "marvin/persistence/words"
	"marvin/ui/slash"
)

// SkillMark is the prefix of a skill's name.
const SkillMark = "skill:"

// Library returns the instructions and skills of the user and of projects. It excludes the sources
// that are listed under "not_read" in config.yaml. This list is read again whenever the library is
// used. An invalid entry in the list is an error, but the other entries still apply.
func Library(world cli.World, config settings.Config) (*written.Library, error) {
	held, wrong := notRead(config, world.Home)
	var mutex sync.Mutex
	said := fmt.Sprint(wrong)
	read := func() ([]written.Switch, error) {
		now, err := settings.Read(cli.OpenHome(world))
		mutex.Lock()
		defer mutex.Unlock()
		if err == nil || now.Hosts != nil { // after an error, a nil Hosts means that the file is invalid
			held, err = notRead(now, world.Home)
		}
		if err != nil && err.Error() == said {
			err = nil // the call to Library has already returned this error
		}
		return held, err
	}
	taken := func(name string) bool {
		_, there := slash.Find("/" + name)
		return there
	}
	return &written.Library{Taken: taken, NotRead: read}, wrong
}

// notRead parses settings.NotRead.
func notRead(settings settings.Config, home string) (all []written.Switch, wrong error) {
	for _, said := range settings.NotRead {
		off, err := written.ParseOff(said, home)
		if err != nil {
			wrong = errors.Join(wrong, err)
			continue
		}
		all = append(all, off)
	}
	return all, wrong
}

// FindWritten returns the commands and skills for the working directory dir.
func FindWritten(library *written.Library, home *persistence.Home, dir string) written.Inventory {
	return library.Find(written.Query{Dir: dir, Home: home.User, Config: home.Words, Coding: true})
}

// TypedName returns what a user types to run the file, such as "/name". It returns "" if the file
// is neither a command nor a skill.
func TypedName(file written.File) string {
	switch file.Kind {
	case written.Command:
		return "/" + file.CallName()
	case written.Skill:
		return "/" + SkillMark + file.CallName()
	}
	return ""
}
