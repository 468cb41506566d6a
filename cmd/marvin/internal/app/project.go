package app

import (
	"fmt"
	"os"
	"path/filepath"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/providers"
)

// By default, a conversation in a project starts in coding mode. Elsewhere, Marvin asks once for
// access to the files, and stores the answer.

// projectFiles lists file names that mark a project.
var projectFiles = []string{
	".git", ".hg", ".svn", ".jj", "AGENTS.md", "CLAUDE.md",
	"go.mod", "go.work", "package.json", "deno.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile",
	"Cargo.toml", "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "Taskfile.yml", "CMakeLists.txt", "meson.build", "configure.ac",
	"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "build.sbt", "build.xml", "project.clj", "deps.edn",
	"Gemfile", "Rakefile", "composer.json", "mix.exs", "rebar.config", "Package.swift", "pubspec.yaml", "stack.yaml", "cabal.project", "dune-project",
	"flake.nix", "MODULE.bazel", "WORKSPACE", "build.zig", "Project.toml", "DESCRIPTION", "Dockerfile", "docker-compose.yml", "compose.yaml", "main.tf",
}

// inProject reports whether dir or one of its parent directories contains one of the projectFiles.
// The search ends before the home directory or the root, and skips directories with the sticky bit,
// such as /tmp, where anyone can create files.
func inProject(world cli.World, dir string) bool {
	home := projects.RealDir(world.Home)
	for dir = projects.RealDir(dir); dir != "" && dir != home; dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return false
		}
		if info, err := os.Stat(dir); err != nil || info.Mode()&os.ModeSticky != 0 {
			continue
		}
		for _, name := range projectFiles {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
	}
	return false
}

// filesOn and filesOff are the stored answers for a directory.
const filesOn, filesOff = "on", "off"

// coding returns true if a conversation with a user starts in coding mode.
func (p *App) coding() bool {
	switch {
	case p.Opts.Chat:
		return false
	case p.Opts.WorkingDir != "":
		return true
	case p.GoesOn():
		return p.Opts.Left.Coding
	case p.Selection.Provider == providers.Offline: // the built-in assistant calls only tools that the user requests
		return true
	case p.files() == filesOff:
		return false
	}
	return p.files() == filesOn || p.Keeping.Dir != "" && inProject(p.World, p.Dir)
}

// SayUnread prints a warning if Marvin ignores the project's files because input or output is a
// pipe.
func (p *App) SayUnread() {
	if !p.Opts.KeepsChoice && !p.Opts.Chat && !p.coding() && inProject(p.World, p.Dir) {
		fmt.Fprintln(p.World.Stderr, "AGENTS.md, commands and files of this project are not used, because standard input or output is a pipe; to turn coding mode on, start Marvin with \"--working-dir .\"")
	}
}

// GoesOn reports whether an earlier conversation is resumed.
func (p *App) GoesOn() bool { return p.Opts.Left.Info.ID != "" }

// files returns the stored answer to [App.offerFiles]: filesOn, filesOff, or "" if there is no
// answer.
func (p *App) files() string {
	if p.Keeping.Dir == "" {
		return ""
	}
	kept, err := projects.Choices{Home: p.Config.Home}.Get(p.Dir)
	if err != nil { // reported elsewhere
		return ""
	}
	return kept.Files
}

// offerFiles returns the question that asks the user for access to the files in p.Dir. It returns
// nil if there is nothing to ask.
func (p *App) offerFiles() *actors.OfferFiles {
	if p.Keeping.Dir == "" || p.Opts.Chat || p.Opts.WorkingDir != "" || p.GoesOn() || p.files() != "" || inProject(p.World, p.Dir) {
		return nil
	}
	return &actors.OfferFiles{
		Place: cli.HomeRelative(p.World, p.Dir), Home: projects.RealDir(p.Dir) == projects.RealDir(p.World.Home),
		Keep: func(on bool) error { return RememberFiles(p.Config.Home, p.Dir, on) },
	}
}

// RememberFiles stores whether the user allows access to the files in dir.
func RememberFiles(home *persistence.Home, dir string, on bool) error {
	return projects.Choices{Home: home}.Change(dir, func(kept *projects.Choice) {
		if kept.Files = filesOff; on {
			kept.Files = filesOn
		}
	})
}
