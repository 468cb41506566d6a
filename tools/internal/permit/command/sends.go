package command

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Sending describes where a command sends data. It is derived only from the command's text.
type Sending struct {
	Part string // the command or assignment, for display
	To   string // a URL, a host or user@host; "" if the destination is known only at run time
	Web  bool   // the destination has a scheme such as "https://"
	More bool   // the command sends more than the address
	// Push means that git pushes to the configured remote named by To. An empty To means the
	// branch's own remote.
	Push bool
}

// Sends returns the places to which a line sends data, according to the text of the line. Scripts,
// builds and package managers can contact places that the text does not name. If the line cannot be
// examined completely, the result contains an unknown place. The caller must remove this machine's
// own addresses from the result.
func Sends(line string, place Place) []Sending {
	report := Inspect(line, place)
	list := report.sends
	if report.hidden {
		list = append(list, Sending{Part: Clip(line), More: true})
	}
	for _, part := range report.Parts {
		for _, sending := range part.sends() {
			sending.Part = part.String()
			if !slices.Contains(list, sending) {
				list = append(list, sending)
			}
		}
	}
	return list
}

// somewhere is the result for a destination that is known only at run time.
var somewhere = []Sending{{More: true}}

// sends determines where a command sends data.
func (p Part) sends() []Sending {
	name := p.Name()
	switch {
	case name != "":
	case len(p.Words) > 0 && p.Words[0].Text != "": // an unknown program
		return somewhere
	default:
		return nil
	}
	args := p.Words[1:]
	if len(args) == 1 && oneOf(args, "--help", "-h", "--version", "-V") != "" {
		return nil
	}
	switch name {
	case "curl", "wget", "wget2":
		return transfers(name, args)
	case "http", "https", "xh", "xhs", "curlie":
		return httpieHosts(args)
	case "git":
		return gitSends(args)
	case "ssh", "autossh", "mosh", "sftp", "ssh-copy-id", "scp", "rsync", "rclone", "ftp", "lftp", "tftp", "telnet",
		"nc", "ncat", "netcat", "socat", "openssl":
		return connected(name, args)
	case "dig", "nslookup", "host", "drill", "kdig", "delv", "whois", "ping", "ping6", "traceroute", "tracepath", "mtr", "getent", "resolvectl":
		return lookupHosts(name, args)
	case "pip", "pip3", "pipx", "uv", "poetry", "pdm", "npm", "npx", "pnpm", "yarn", "bun", "cargo", "gem", "conda",
		"xdg-open", "open", "lynx", "w3m", "links", "elinks", "aria2c", "axel", "yt-dlp", "youtube-dl", "gallery-dl", "ffmpeg", "httrack",
		"websocat", "wscat", "firefox", "chromium", "chromium-browser", "google-chrome":
		return hostsInURLs(args)
	}
	if isDatabase(name) {
		return databaseHosts(args)
	}
	if strings.HasSuffix(name, "awk") {
		return hostsInArguments(args)
	}
	if _, wraps := WrapperOf(name); wraps || isShell(name) || slices.Contains(strings.Fields(speechless), name) {
		return nil
	}
	if slices.Contains(strings.Fields(hosted), name) {
		return hosts(args)
	}
	return hostsInArguments(args)
}

// hosted is the list of network programs that accept plain host names as arguments.
const hosted = "docker podman nerdctl buildah skopeo oras crane helm kubectl etcdctl vault consul nmap masscan hping3 ssh-keyscan sshfs smbclient logger " +
	"mosquitto_pub mosquitto_sub ldapsearch ldapmodify snmpget snmpwalk ntpdate gpg gpg2 hg svn ab wrk hey nats amqp-publish kcat kafkacat iperf iperf3 mail sendmail swaks"

// hosts returns the hosts in a command's arguments. An argument can also contain a user name, a
// port or a path, but "1.2" and "./a.txt" do not count as hosts.
func hosts(args []Word) (list []Sending) {
	for _, arg := range args {
		if strings.Contains(arg.Text, "://") {
			list = append(list, hostsInArguments([]Word{arg})...)
			continue
		}
		text := arg.Text[strings.LastIndexAny(arg.Text, "=@")+1:]
		text = strings.TrimPrefix(text, "//") // in smbclient's form
		if end := strings.IndexAny(text, "/:"); end >= 0 {
			text = text[:end]
		}
		last := text[strings.LastIndexByte(text, '.')+1:]
		number, _ := netip.ParseAddr(text)
		switch {
		case strings.Contains(text, Hole):
			list = append(list, somewhere...)
		case number.IsValid(), len(last) > 1 && len(last) < len(text)-1 && !strings.ContainsAny(text, " \t*") && !strings.ContainsAny(last, "0123456789"):
			list = append(list, toHost(text)...)
		}
	}
	return list
}

// speechless contains the names of commands that treat addresses only as text.
const speechless = "echo printf grep egrep fgrep rg sed awk jq yq test [ [[ true false : export local declare typeset readonly unset read set shift return exit alias " +
	"tee cat head tail diff cmp wc sort uniq tr cut paste basename dirname expr mkdir touch rm cp mv ln ls find sleep cd pwd date seq eval trap case type which"

// hostsInArguments returns the addresses that an unknown program could contact: URLs, and hosts in
// awk's connection names ("/inet/tcp/0/HOST/80").
func hostsInArguments(args []Word) (list []Sending) {
	for _, arg := range args {
		if found := inet().FindStringSubmatch(arg.Text); found != nil {
			list = append(list, toHost(found[1])...)
		}
		scheme, rest, whole := strings.Cut(arg.Text, "://")
		scheme = scheme[strings.LastIndexByte(scheme, '=')+1:]
		scheme = strings.TrimPrefix(scheme, "git+")
		if whole && slices.Contains(strings.Fields(schemes), strings.ToLower(scheme)) {
			list = append(list, toAddress(scheme+"://"+rest, true)...)
		}
	}
	return list
}

// schemes lists the schemes of URLs that name a network host.
const schemes = "http https ws wss ftp ftps sftp ssh git rsync ldap ldaps mqtt mqtts amqp amqps nats tcp udp tls ssl smb nfs rtmp rtsp hkp hkps " +
	"redis rediss postgres postgresql mysql mongodb docker"

// inet returns a regular expression for gawk's name for a network connection.
var inet = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/inet[46]?/(?:tcp|udp)/[^/"]*/([^/"]*)`) })

// hostsInURLs returns the destinations of the URLs in a command's arguments.
func hostsInURLs(args []Word) (list []Sending) {
	for _, arg := range args {
		at := strings.Index(arg.Text, "://")
		if at < 1 {
			continue
		}
		from := strings.LastIndexAny(arg.Text[:at], "@=,;'\" +") + 1
		list = append(list, toAddress(arg.Text[from:], false)...)
	}
	return list
}

// leadsTo records the hosts that a variable names as a proxy, a registry or a git remote.
func (f *findings) leadsTo(name string, value Word) {
	var to []Sending
	switch upper := strings.ToUpper(name); {
	case strings.HasSuffix(upper, "_PROXY") && upper != "NO_PROXY":
		to = toAddress(value.Text, true)
	case strings.HasPrefix(upper, "GIT_CONFIG_VALUE_"):
		to = toRepository(value.Text, true)
	case upper == "GOPROXY", strings.HasSuffix(upper, "_REGISTRY"), strings.HasSuffix(upper, "_INDEX_URL"), strings.HasSuffix(upper, "_INDEX"):
		for address := range strings.FieldsFuncSeq(value.Text, func(r rune) bool { return r == ',' || r == '|' || r == ' ' }) {
			to = append(to, hostsInURLs([]Word{{Text: address}})...)
		}
	}
	for _, sending := range to {
		sending.Part = name + "=" + strings.ReplaceAll(value.Text, Hole, "…")
		f.report.sends = append(f.report.sends, sending)
	}
}

// toAddress returns the destination of a request to an address. hasData is true if the request
// carries data in addition to the address. An address without a scheme is a web address.
func toAddress(text string, hasData bool) []Sending {
	scheme, rest, whole := strings.Cut(text, "://")
	if !whole {
		scheme, rest = "http", text
	}
	switch {
	case text == "" || strings.EqualFold(scheme, "file") || strings.EqualFold(scheme, "data"):
		return nil
	case strings.Contains(scheme, Hole):
		return somewhere
	}
	host, _, _ := strings.Cut(rest, Hole)
	if len(host) < len(rest) {
		if !strings.ContainsAny(host, "/?#") {
			return somewhere
		}
		rest, hasData = host, true
	}
	return []Sending{{To: scheme + "://" + rest, Web: true, More: hasData}}
}

// toHost returns the destination for a host or user@host.
func toHost(text string) []Sending {
	text = strings.Trim(text, "[]")
	switch {
	case text == "":
		return nil
	case strings.Contains(text, Hole):
		return somewhere
	}
	return []Sending{{To: text, More: true}}
}

// eachOption calls visit for each option and operand of a command, in order. For an operand, the
// option is "". The two strings contain the options that take a value: the letters of short
// options, and the names of long options.
func eachOption(args []Word, letters, longNames string, visit func(option string, value Word)) {
	takes := strings.Fields(longNames)
	for n := 0; n < len(args); n++ {
		text := args[n].Text
		next := func() (value Word) {
			if n++; n < len(args) {
				value = args[n]
			}
			return value
		}
		switch {
		case text == "--":
		case strings.HasPrefix(text, "--"):
			option, value, given := strings.Cut(text, "=")
			switch {
			case given:
				visit(option, Word{Text: value})
			case slices.Contains(takes, option):
				visit(option, next())
			default:
				visit(option, Word{})
			}
		case strings.HasPrefix(text, "-"):
			for at := 1; at < len(text); at++ {
				letter := "-" + text[at:at+1]
				if strings.IndexByte(letters, text[at]) < 0 {
					visit(letter, Word{})
					continue
				}
				value := Word{Text: text[at+1:]}
				if value.Text == "" {
					value = next()
				}
				visit(letter, value)
				break
			}
		default:
			visit("", args[n])
		}
	}
}
