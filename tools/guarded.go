package tools

import (
	"path/filepath"
	"runtime"
	"strings"

	"marvin/tools/internal/box"
	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// atHome are files and trees below the home directory that decide what programs do, or
// who may log in: what shells read when they start, git's configuration, what a desktop
// or a system starts by itself, keys, and Marvin's own.
const atHome = `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .login .logout .cshrc .tcshrc .kshrc .mkshrc
	.zshrc .zshenv .zprofile .zlogin .zlogout .inputrc .pam_environment .xinitrc .xserverrc .xsession .xsessionrc .xprofile .crontab
	.gitconfig .git-credentials .ssh .gnupg .config/local-finder .marvin/instructions .config/git .config/fish .config/nushell .config/powershell
	.config/autostart .config/autostart-scripts .config/systemd .config/environment.d .config/plasma-workspace
	.local/share/marvin .local/share/systemd .local/share/dbus-1 Library/LaunchAgents Library/LaunchDaemons`

// ofTheSystem are those that a user with all rights could write.
const ofTheSystem = `/etc/profile /etc/profile.d /etc/bash.bashrc /etc/bashrc /etc/zsh /etc/zshrc /etc/zshenv /etc/zprofile /etc/environment /etc/gitconfig /etc/ssh
	/etc/crontab /etc/cron.d /etc/cron.hourly /etc/cron.daily /etc/cron.weekly /etc/cron.monthly /etc/anacrontab /var/spool/cron /var/spool/at
	/etc/init.d /etc/rc.local /etc/systemd /etc/xdg/autostart /etc/ld.so.preload /etc/pam.d /etc/sudoers /etc/sudoers.d
	/Library/LaunchAgents /Library/LaunchDaemons`

// guarded are the places where file tools write nothing, whatever directory they work in.
func (e Env) guarded() box.Places {
	var places box.Places
	add := func(base, names string) {
		if base == "" {
			return
		}
		for _, name := range strings.Fields(names) {
			places = append(places, filepath.Join(base, filepath.FromSlash(name)))
		}
	}
	add(e.Home, atHome)
	add(proc.Lookup(e.Environ, "ZDOTDIR"), ".zshrc .zshenv .zprofile .zlogin .zlogout")
	add(proc.Lookup(e.Environ, "XDG_CONFIG_HOME"), "git fish nushell powershell autostart systemd environment.d local-finder")
	add(proc.Lookup(e.Environ, "XDG_DATA_HOME"), "marvin")
	if global := proc.Lookup(e.Environ, "GIT_CONFIG_GLOBAL"); filepath.IsAbs(global) && global != "/dev/null" {
		places = append(places, global)
	}
	if e.State != "" {
		places = append(places, e.State)
	}
	// What the repository's configuration includes is such a place too, also in the project.
	places = append(places, jail.Included(gitdir.Discover(e.Dir).Common, e.Home)...)
	if runtime.GOOS != "windows" {
		places = append(places, strings.Fields(ofTheSystem)...)
	}
	return places
}
