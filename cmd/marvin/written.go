package main

import (
	"errors"
	"fmt"
	"sync"

	"marvin/persistence"
	"marvin/persistence/settings"
	written "marvin/persistence/words"
	"marvin/ui/slash"
)

// Commands and skills in files, for users who type their names.

// skillMark is the prefix of a skill's name.
const skillMark = "skill:"

// library is where what people and projects wrote is found, with what not_read switches off
// as config.yaml has it in that moment. What is wrong with an entry is said, and the others
// hold.
func library(world World, config settings.Config) (*written.Library, error) {
	held, wrong := notRead(config, world.Home)
	var mutex sync.Mutex
	said := fmt.Sprint(wrong)
	read := func() ([]written.Off, error) {
		now, err := settings.Read(openHome(world))
		mutex.Lock()
		defer mutex.Unlock()
		if err == nil || now.Hosts != nil { // else it cannot be understood, and what held holds
			held, err = notRead(now, world.Home)
		}
		if err != nil && err.Error() == said {
			err = nil // it was said at the start
		}
		return held, err
	}
	taken := func(name string) bool {
		_, there := slash.Find("/" + name)
		return there
	}
	return &written.Library{Now: world.Now, Taken: taken, NotRead: written.NotRead{Path: world.configFile().Path(), Read: read}}, wrong
}

// notRead understands the entries of a configuration.
func notRead(settings settings.Config, home string) (all []written.Off, wrong error) {
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

// writtenIn finds what there is to type in a directory.
func writtenIn(library *written.Library, home *persistence.Home, dir string) written.Inventory {
	return library.Find(written.Query{Dir: dir, Home: home.User, Config: home.Words, Coding: true})
}

// typed is how a file is asked for, "" for one that is not.
func typed(file written.File) string {
	switch file.Kind {
	case written.Command:
		return "/" + file.Called()
	case written.Skill:
		return "/" + skillMark + file.Called()
	}
	return ""
}
