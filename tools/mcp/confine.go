package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"

	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/internal/gate"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/protected"
)

// On its first start, a server's program runs in the sandbox for commands, and Marvin records the
// program's needs in a profile. From then on, Marvin confines the program to the profile, and asks
// the user about further needs (widen.go).

// Profile contains the rights of a server's program.
type Profile = jail.Profile

// confinement is the sandbox state of a session's program.
type confinement struct {
	jail     *jail.Jail
	gate     *gate.Gate // nil if the program may contact any host
	proxy    string     // the gate's address while the program is observed
	learning bool       // the program is being observed
	held     bool       // the program is confined to its profile
	told     Profile    // requested rights that Marvin has already reported
	refused  Profile    // rights that the user had refused before the program started
}

// ErrDamaged means that the stored record of a server's permissions cannot be read.
var ErrDamaged = errors.New("Marvin's stored record of it is damaged")

func (s *Session) confine(command *proc.Command, dir string) error {
	keeper := s.ground.Sandbox
	var manifest Manifest
	known := false
	if s.ground.Home != nil {
		var err error
		if manifest, known, err = ReadManifest(s.ground.Home, s.Name, s.config); err != nil {
			return fmt.Errorf("the server %s was not started: %w, so its permissions are unknown; set them again with \"marvin mcp approve %[1]s\"", s.Name, ErrDamaged)
		}
	}
	hold := &s.hold
	var err error
	switch {
	case s.ground.Home == nil || manifest.Unseen:
		hold.jail, err = keeper.Jail(dir)
	case known && manifest.Jail != nil:
		hold.held, hold.refused = true, manifest.Refused
		hold.gate = gate.New(manifest.Jail.Hosts, false)
		hold.gate.Proxy = http.ProxyFromEnvironment
		hold.jail, err = keeper.Held(dir, manifest.Jail.Union(s.consentedPlaces(dir)), hold.gate.Serve)
	default:
		hold.learning = true
		if err = keeper.MakeCache(filepath.Base(s.config.Command[0])); err != nil {
			break
		}
		if hold.jail, err = keeper.Observed(dir); err == nil {
			err = s.openGate(command)
		}
	}
	if err != nil {
		return fmt.Errorf("the server %s was not started: %w\nTo run it without the sandbox, with all your permissions, add \"sandbox: off\" to its entry in config.yaml", s.Name, err)
	}
	command.Jail = hold.jail
	return nil
}

// consentedPlaces returns the paths that the server can read without the user's approval: the
// conversation's directory, and the paths in the configured arguments of the server's command. It
// omits protected paths, the home directory and its parents, and hidden entries of the home
// directory.
func (s *Session) consentedPlaces(dir string) (places Profile) {
	if s.ground.Dir != "" {
		places.Read = append(places.Read, ".")
		if real, err := filepath.EvalSymlinks(s.ground.Dir); err == nil {
			dir = real
		}
	}
	home := ""
	if s.ground.Home != nil {
		home = s.ground.Home.User
	}
	var disk *protected.Disk
	for _, word := range s.config.Command[1:] {
		if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
			word = value
		}
		if rest, ok := strings.CutPrefix(word, "~/"); ok && home != "" {
			word = filepath.Join(home, rest)
		}
		if word == "" || strings.HasPrefix(word, "-") || strings.Contains(word, "://") {
			continue
		}
		if !filepath.IsAbs(word) {
			word = filepath.Join(dir, word)
		}
		real, err := filepath.EvalSymlinks(word)
		if err != nil || real == "/" || real == dir || strings.HasPrefix(real, dir+"/") || home != "" && (real == home || strings.HasPrefix(home, real+"/") || filepath.Dir(real) == home && strings.HasPrefix(filepath.Base(real), ".")) {
			continue
		}
		if disk == nil {
			disk = protected.Locations{Home: home, Environ: s.ground.Environ}.Look()
		}
		if _, is := disk.PlaceOf(real); is {
			continue
		}
		if below, ok := strings.CutPrefix(real, home+"/"); ok && home != "" {
			real = "~/" + below
		}
		places.Read = append(places.Read, real)
	}
	return places
}

// openGate starts a proxy that records contacted hosts, and sets the command's proxy variables.
func (s *Session) openGate(command *proc.Command) error {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen on this machine: %w", err)
	}
	s.hold.gate, s.hold.proxy = gate.New(nil, true), listener.Addr().String()
	s.hold.gate.Proxy = http.ProxyFromEnvironment
	s.hold.gate.Serve(listener)
	command.Env = append(command.Env, jail.ProxyEnviron(s.hold.proxy)...)
	return nil
}

// learn adds the program's observed profile to the manifest, or sets Unseen if this system cannot
// observe the program. Outside the observation phase, learn does nothing.
func (s *Session) learn(manifest *Manifest) {
	if !s.hold.learning {
		return
	}
	if !s.hold.jail.Observes() {
		manifest.Unseen = true
		return
	}
	did, wanted := s.hold.jail.Learned(s.hold.proxy)
	did.Hosts = s.hold.gate.ContactedHosts(true)
	did = did.Union(s.consentedPlaces(s.ground.Dir))
	manifest.Jail, manifest.Wanted = &did, wanted.Minus(did)
}

// newWishes returns the rights that the server tried to use but does not have. It returns each
// right only once per session.
func (s *Session) newWishes() Profile {
	if !s.hold.held {
		return Profile{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := s.hold.jail.Wanted()
	wanted.Hosts = s.hold.gate.ContactedHosts(false)
	if len(wanted.Hosts) > 0 {
		wanted.Network = false // access to these hosts through the proxy is enough
	}
	wanted = wanted.Minus(s.hold.told)
	s.hold.told = s.hold.told.Union(wanted)
	return wanted
}

// Begin starts a server, as [Connect] does. If the server is new, Begin observes the server,
// reports its profile, and restarts it within the profile.
func Begin(ctx context.Context, name string, config settings.Server, ground Ground, report func(description string)) (*Session, error) {
	session, err := Connect(ctx, name, config, ground)
	if err != nil || !session.hold.learning {
		return session, err
	}
	manifest, err := RecordManifest(ctx, ground.Home, session, false)
	session.Close()
	if err != nil {
		return nil, err
	}
	if manifest.Jail != nil && report != nil {
		report(fmt.Sprintf("Marvin observed the first start of the MCP server %s. From now on, the sandbox allows only what the server needed during that start: the server %s. Anything else needs your approval (see marvin mcp list)", name, manifest.Jail))
	}
	return Connect(ctx, name, config, ground)
}

// DescribeConfinement describes how a server is confined. The second result describes the rights
// that the server requested but does not have.
func DescribeConfinement(server settings.Server, manifest Manifest, sandbox tools.SandboxMode) (description, wanted string) {
	switch {
	case len(server.Command) == 0:
		return "it runs on another machine; sending to it needs approval", ""
	case server.Free || sandbox == tools.SandboxOff:
		return "it runs with all your permissions", ""
	case manifest.Jail == nil && manifest.Unseen:
		return "it runs in the same sandbox as commands, because this system cannot observe programs", ""
	case manifest.Jail == nil:
		return "The next time the server starts, Marvin will observe what the server needs", ""
	}
	return "it " + manifest.Jail.String(), manifest.Wanted.Wish()
}
