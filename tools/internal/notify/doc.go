// Package notify shows a notification on the user's desktop.
//
// It calls org.freedesktop.Notifications on the session bus directly, because notify-send is often
// missing. If the bus fails, the package runs notify-send, or osascript on macOS. If the
// environment has no bus address, for example under cron, the package uses the address that systemd
// gives every user.
package notify
