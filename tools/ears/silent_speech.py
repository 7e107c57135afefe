"""A speech server for Orca that makes no sound. It prints each sentence as a JSON object.

`said` is about an event. `read` is a part of the page that a person lets Orca read, and `end` follows the last of them.
"""

import json

from gi.repository import GLib
from orca import speechserver


def send(line):
    print(json.dumps(line, ensure_ascii=False), flush=True)


class SpeechServer(speechserver.SpeechServer):
    @staticmethod
    def getFactoryName():
        return "Silence"

    @staticmethod
    def getSpeechServers():
        return [server]

    @staticmethod
    def getSpeechServer(info=None):
        return server

    @staticmethod
    def shutdownActiveServers():
        pass

    def getInfo(self):
        return ["Silence", "silence"]

    def getVoiceFamilies(self):
        return []

    def speak(self, text=None, acss=None, interrupt=True):
        if text:
            send({"kind": "said", "text": text})

    def speakCharacter(self, character, acss=None):
        send({"kind": "said", "text": character})

    def speakKeyEvent(self, event, acss=None):
        send({"kind": "said", "text": event.getKeyName()})

    def sayAll(self, utteranceIterator, progressCallback):
        def say_next():
            found = next(utteranceIterator, None)
            if not found:
                send({"kind": "end"})
                return False
            context, _voice = found
            send({"kind": "read", "text": context.utterance})
            context.currentOffset = context.endOffset
            progressCallback(context.copy(), speechserver.SayAllContext.COMPLETED)
            return True

        GLib.idle_add(say_next)


server = SpeechServer()
